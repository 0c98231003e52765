/* SPDX-License-Identifier: MIT */
/* StackWalker with every option, through reflection, handles and lambdas; callers,
   access control contexts, traces without hidden frames. */
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.*;
import java.lang.reflect.Method;
import java.security.*;
import java.util.*;
import java.util.stream.*;

public class StackWalks {
    static final StackWalker CLASSES = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);
    static final StackWalker REFLECTION = StackWalker.getInstance(
        Set.of(Option.SHOW_REFLECT_FRAMES, Option.RETAIN_CLASS_REFERENCE));

    static String describe(StackFrame f) {
        return f.getMethodName() + ":" + f.getLineNumber() + ":" + f.getByteCodeIndex() + ":"
            + f.isNativeMethod() + ":" + f.getFileName() + ":" + f.getMethodType() + ":"
            + f.getDescriptor() + ":" + f.getDeclaringClass();
    }

    static List<String> frames(StackWalker w) {
        return w.walk(s -> s.map(StackWalks::describe).collect(Collectors.toList()));
    }

    static long depth(int n) {
        return n == 0 ? CLASSES.walk(Stream::count) : depth(n - 1);
    }

    static Class<?> caller() {
        return CLASSES.getCallerClass();
    }

    static int fail(int i) {
        throw new IllegalStateException("failed " + i);
    }

    static void trace(Throwable e) {
        System.out.println(e);
        for (StackTraceElement s : e.getStackTrace())
            System.out.println("    " + s);
    }

    @SuppressWarnings("removal")
    static void contexts() throws Exception {
        AccessControlContext c = AccessController.getContext();
        PrivilegedAction<String> greet = () -> "privileged";

        System.out.println(AccessController.doPrivileged(greet));
        System.out.println(AccessController.doPrivileged(greet, c));
        System.out.println(c.equals(AccessController.getContext()));
        try {
            AccessController.doPrivileged((PrivilegedExceptionAction<String>)() -> {
                throw new Exception("inside");
            });
        } catch (PrivilegedActionException e) {
            System.out.println(e.getCause());
        }
    }

    static void callers() throws Throwable {
        Method m = StackWalks.class.getDeclaredMethod("caller");
        MethodHandle h = MethodHandles.lookup().unreflect(m);

        System.out.println(caller());
        for (int i = 0; i < 20; i++)
            m.invoke(null);
        System.out.println(m.invoke(null) + " " + (Class<?>)h.invoke());
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }

    static void traces() throws Throwable {
        MethodHandle h = MethodHandles.filterReturnValue(
            MethodHandles.lookup().findStatic(StackWalks.class, "fail",
                                              MethodType.methodType(int.class, int.class)),
            MethodHandles.identity(int.class));
        try {
            int i = (int)h.invokeExact(1);
        } catch (IllegalStateException e) {
            trace(e);
        }
        try {
            IntStream.of(1, 2).map(StackWalks::fail).sum();
        } catch (IllegalStateException e) {
            trace(e);
        }
        try {
            StackWalks.class.getDeclaredMethod("fail", int.class).invoke(null, 3);
        } catch (ReflectiveOperationException e) {
            trace(e.getCause());
        }
    }

    public static void main(String[] args) throws Throwable {
        Method m = StackWalks.class.getDeclaredMethod("frames", StackWalker.class);
        Runnable r = () -> System.out.println(frames(CLASSES));

        System.out.println(frames(CLASSES));
        System.out.println(m.invoke(null, CLASSES));
        System.out.println(m.invoke(null, REFLECTION));
        r.run();
        System.out.println(depth(0) + " " + depth(7) + " " + depth(1000));
        CLASSES.forEach(f -> System.out.println(f.toStackTraceElement()));
        System.out.println(CLASSES.<Optional<StackFrame>>walk(s -> s.skip(1).findFirst()));
        Stream<?>[] kept = new Stream<?>[1];
        CLASSES.walk(s -> kept[0] = s);
        try {
            kept[0].count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        callers();
        contexts();
        traces();
        Thread t = new Thread(r);
        t.start();
        t.join();
    }
}
