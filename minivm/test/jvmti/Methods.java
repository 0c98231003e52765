// SPDX-License-Identifier: MIT
// departs: gone-by-reflection one that comes back is another for Method objects
// vm: -XX:+AllowRedefinitionToAddDeleteMethods
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

class Changing {
    static String call(Runnable then) {
        then.run();
        return helper(1);
    }

    static String text() {
        return "one";
    }

    private static String helper(int x) {
        return "helper " + x;
    }

    private static String gone(Runnable then) {
        then.run();
        return "gone";
    }

    static String callGone(Runnable then) {
        return gone(then);
    }

    static Supplier<String> supplier() {
        return () -> "lambda one";
    }

    private static native int bound();

    /** Stays as it is. */
    static class Caller {
        static String call(Runnable then) {
            return gone(then);
        }
    }
}

/** Methods that are private, and static or final, may come and go with a deprecated
    option that some agents of old ask for. */
public class Methods {
    static native int redefine(Class<?> c, byte[] file);
    static native String names(Class<?> c);
    static native long id(Object method);
    static native boolean isObsolete(long id);
    static native String name(long id);
    static final int ADDED = 63, DELETED = 67;

    static void same(String name, Object expected, Object actual) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    static int to(String version) {
        try {
            Path work = Path.of(Methods.class.getProtectionDomain().getCodeSource()
                                    .getLocation().toURI());
            String prefix = version.isEmpty() ? "" : "Methods." + version + "/";
            return redefine(Changing.class,
                            Files.readAllBytes(work.resolve(prefix + "Changing.class")));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static String declared() {
        return Arrays.stream(Changing.class.getDeclaredMethods()).map(Method::getName)
            .filter(n -> !n.startsWith("lambda")).sorted()
            .collect(Collectors.joining(" "));
    }

    static Method method(String name) throws Exception {
        for (Method m : Changing.class.getDeclaredMethods())
            if (m.getName().equals(name)) {
                m.setAccessible(true);
                return m;
            }
        throw new AssertionError(name);
    }

    static Object invoke(Method m, Object... args) throws Exception {
        try {
            return m.invoke(null, args);
        } catch (InvocationTargetException | InternalError e) {
            return "refused";
        }
    }

    static String thrown(Supplier<String> s) {
        try {
            return s.get();
        } catch (LinkageError e) {
            return e.getClass().getSimpleName();
        }
    }

    public static void main(String[] args) throws Exception {
        Supplier<String> first = Changing.supplier();
        Method gone = method("gone");
        long goneId = id(gone);
        Runnable nothing = () -> { };
        same("before", "gone", invoke(gone, nothing));
        same("bound", 42, invoke(method("bound")));
        same("called", "gone", Changing.Caller.call(nothing));
        /* A frame of a method that goes, whose caller stays. */
        same("frame-runs-on", "gone", Changing.callGone(() -> same("to-two", 0, to("two"))));
        same("declared-two", "added call callGone helper manyA manyB manyC manyD "
             + "supplier text", declared());
        same("names-two", "<init> text added call helper callGone supplier manyA manyB "
             + "manyC manyD lambda$supplier$1 lambda$supplier$0 ", names(Changing.class));
        same("calls-added", "two added helper 2", Changing.text());
        same("new-lambdas", "lambda two and two", Changing.supplier().get());
        same("old-lambda", "two", first.get());
        same("deleted-by-call", "NoSuchMethodError",
             thrown(() -> Changing.Caller.call(nothing)));
        same("deleted-by-reflection", "refused", invoke(gone, nothing));
        same("deleted-obsolete", true, isObsolete(goneId));
        same("deleted-has-name", "gone", name(goneId));
        Method added = method("added");
        same("added-by-reflection", "added helper 2", invoke(added));
        same("added-not-obsolete", false, isObsolete(id(added)));
        same("added-name", "added", name(id(added)));
        same("public-not-added", ADDED, to("three"));
        same("unchanged", "two added helper 2", Changing.text());
        /* Back and forth, from a frame. */
        same("old-helper", "helper 2", Changing.call(() -> same("to-one", 0, to(""))));
        same("text-again", "one", Changing.text());
        same("declared-one", "bound call callGone gone helper supplier text", declared());
        same("gone-again", "gone", Changing.callGone(nothing));
        same("gone-by-reflection", "gone", invoke(gone, nothing));
        same("gone-not-obsolete", false, isObsolete(goneId));
        same("bound-again", 42, invoke(method("bound")));
        same("call-again", "gone", Changing.Caller.call(nothing));
        same("added-deleted", "refused", invoke(added));
        for (int i = 0; i < 20; i++) {
            same("to-two-" + i, 0, to("two"));
            same("text-two-" + i, "two added helper 2", Changing.text());
            same("to-one-" + i, 0, to(""));
            same("text-one-" + i, "one", Changing.text());
        }
    }
}
