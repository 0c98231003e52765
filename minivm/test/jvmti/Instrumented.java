// SPDX-License-Identifier: MIT
// sdk: buffer classfile code_edit code_read code_write constants opcodes
// stress: -Dearly=1
import java.io.StringReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.InputSource;

/** A program all of whose code calls a class on the boot loader's appended path, also the
    class library's; as the agents that came with JDK 8 did it.  The property "early" asks
    for hooks from the first class on, which the JDK's VM does not survive: it cannot load
    from that path before java.base is defined. */
public class Instrumented {
    static native int transformed(Module m);
    static native String failures();

    interface Work {
        Object run() throws Throwable;
    }

    static void same(String name, Object expected, Work work) {
        Object actual;
        try {
            actual = work.run();
        } catch (Throwable e) {
            actual = e;
        }
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    static int number(String field) throws Exception {
        Field f = Class.forName("Tracker", true, null).getDeclaredField(field);
        f.setAccessible(true);
        return f.getInt(null);
    }

    static void programs() {
        same("streams", "[0, 1, 4, 9, 16]",
             () -> IntStream.range(0, 5).mapToObj(i -> i * i)
                   .collect(Collectors.toList()).toString());
        same("format", "007 1.50 x", () -> String.format("%03d %.2f %s", 7, 1.5, "x"));
        same("regex", "[b, d]",
             () -> Arrays.toString(Pattern.compile("[ac]+").split("aabccd", 0).length == 3
                                   ? new String[] { "b", "d" } : null));
        same("handle", 3, () -> (int)MethodHandles.lookup().findVirtual(
            String.class, "length", MethodType.methodType(int.class)).invoke("abc"));
        same("proxy", 5, () -> {
            var c = (java.util.concurrent.Callable<?>)Proxy.newProxyInstance(
                Instrumented.class.getClassLoader(),
                new Class<?>[] { java.util.concurrent.Callable.class }, (p, m, a) -> 5);
            return c.call();
        });
        same("future", "done", () -> {
            var pool = Executors.newFixedThreadPool(2);
            try {
                return CompletableFuture.supplyAsync(() -> "do", pool)
                    .thenApply(s -> s + "ne").get();
            } finally {
                pool.shutdown();
            }
        });
        same("exception", "x", () -> {
            try {
                throw new IllegalStateException("x");
            } catch (IllegalStateException e) {
                return e.getStackTrace().length > 0 ? e.getMessage() : "no trace";
            }
        });
        same("logging", "here", () -> {
            StringBuilder told = new StringBuilder();
            Logger logger = Logger.getLogger("here");
            logger.setUseParentHandlers(false);
            logger.setFilter(r -> told.append(r.getLoggerName()).length() < 0);
            logger.log(Level.SEVERE, "text");
            return told.toString();
        });
        same("xml", "b", () -> DocumentBuilderFactory.newInstance().newDocumentBuilder()
             .parse(new InputSource(new StringReader("<a><b/></a>")))
             .getDocumentElement().getFirstChild().getNodeName());
        same("sql", "2020-01-02", () -> java.sql.Date.valueOf("2020-01-02").toString());
    }

    public static void main(String[] args) throws Exception {
        Class<?> tracker = Class.forName("Tracker", true, null);
        programs();
        same("entries", true, () -> number("entries") > 10000);
        same("exits", true, () -> number("exits") > 10000);
        for (String name : new String[] { "java.base", "java.logging", "java.xml",
                                          "java.sql" }) {
            Module m = ModuleLayer.boot().findModule(name).get();
            same(name + "-transformed", true, () -> transformed(m) > 0);
            same(name + "-reads-boot", true, () -> m.canRead(tracker.getModule()));
            same(name + "-reads-app", true,
                 () -> m.canRead(Instrumented.class.getModule()));
        }
        Module untouched = ModuleLayer.boot().findModule("java.instrument").get();
        same("untouched", false, () -> untouched.canRead(tracker.getModule()));
        same("failures", "", () -> failures());
    }
}
