/* SPDX-License-Identifier: MIT */
/* StackWalker: frames, options, caller class; Thread.getStackTrace; filters. */
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

public class Walkers {
    static List<String> frames(StackWalker.Option... options) {
        return StackWalker.getInstance(Set.of(options)).walk(s -> s
            .map(f -> f.getClassName().replaceAll("[$/]0x.*|\\$\\$Lambda.*", "~") + "."
                + f.getMethodName() + (f.getClassName().startsWith("Walkers") ? ":" + f.getLineNumber()
                : "")).filter(f -> !f.contains("reflect")).collect(Collectors.toList()));
    }

    static List<String> viaLambda() {
        return Optional.of(1).map(x -> frames()).get();
    }

    public static List<String> viaReflection() {
        return frames();
    }

    static Class<?> caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    }

    static class Nested {
        static Class<?> ask() {
            return caller();
        }
    }

    static int depth(int n) {
        return n == 0 ? StackWalker.getInstance().walk(s -> (int) s.count()) : depth(n - 1);
    }

    static long limited(int n) {
        return n == 0 ? StackWalker.getInstance().walk(s -> s.limit(7).count()) : limited(n - 1);
    }

    public static void main(String[] args) throws Exception {
        frames().forEach(System.out::println);
        System.out.println("--");
        viaLambda().forEach(System.out::println);
        System.out.println("--");
        Method m = Walkers.class.getMethod("viaReflection");
        ((List<?>) m.invoke(null)).forEach(System.out::println);
        System.out.println("--");
        System.out.println(Nested.ask() + " " + caller());
        System.out.println(depth(200) + " " + depth(5) + " " + limited(100));
        StackWalker w = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        w.forEach(f -> System.out.println(f.getDeclaringClass() + " " + f.getMethodType() + " "
            + f.getDescriptor() + " " + f.isNativeMethod() + " " + f.getFileName()));
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            StackWalker.getInstance().walk(s -> s.findFirst().get()).getDeclaringClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        Iterator<StackWalker.StackFrame> escaped = w.walk(Stream::iterator);
        try {
            escaped.next();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        StackTraceElement[] trace = new Throwable().getStackTrace();
        System.out.println(trace.length + " " + trace[0]);
        Thread t = new Thread(() -> {
            StackTraceElement[] s = Thread.currentThread().getStackTrace();
            System.out.println(s[0].getMethodName() + " " + s[s.length - 1]);
        });
        t.start();
        t.join();
        System.out.println(trace[0].toString().equals(w.walk(s -> s.findFirst().get()
            .toStackTraceElement()).toString()));
    }
}
