// SPDX-License-Identifier: MIT
// vm: -Xshare:off
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;

/** What the heap functions tell of has classes that agents can ask about: they are
    prepared. */
public class Prepared {
    /** The first class that has instances, or an edge of its constant pool, and is not
        prepared; null when there is none. */
    static native String unpreparedInstance();
    static native String unpreparedConstant();
    /** Is that class, which is loaded only, prepared? */
    static native boolean isPrepared(Class<?> c);

    static class Loaded {
        static String text = "a constant";
    }

    static void same(String name, Object expected, Object actual) {
        boolean good = expected == null ? actual == null : expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    /** So that the VM makes what it makes. */
    static void work() throws Throwable {
        IntUnaryOperator twice = x -> 2 * x;
        MethodHandle length = MethodHandles.lookup().findVirtual(
            String.class, "length", MethodType.methodType(int.class));
        int sum = twice.applyAsInt((int)length.invokeExact("abc"));
        try {
            Object[] array = new Object[sum - 7];
            throw new AssertionError(array.length);
        } catch (NegativeArraySizeException e) {
            e.getStackTrace();
        }
        StackWalker.getInstance().walk(s -> s.count());
        Prepared.class.getDeclaredMethods()[0].getParameters();
        record Pair(int a, String b) { }
        Pair.class.getRecordComponents();
        Prepared.class.getDeclaredFields();
        Prepared.class.getDeclaredConstructors();
        var pool = Executors.newSingleThreadExecutor();
        pool.submit(() -> Thread.getAllStackTraces()).get();
        pool.shutdown();
        java.lang.management.ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(false);
        Loaded[] none = { };
        same("array", 0, none.length);
    }

    public static void main(String[] args) throws Throwable {
        Class<?> loaded = Class.forName("Prepared$Loaded", false,
                                        Prepared.class.getClassLoader());
        work();
        same("loaded-only", false, isPrepared(loaded));
        same("instances", null, unpreparedInstance());
        same("constants", null, unpreparedConstant());
        same("still-loaded-only", false, isPrepared(loaded));
    }
}
