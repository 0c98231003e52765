// SPDX-License-Identifier: MIT
// sdk: buffer classfile code_edit code_read code_write constants opcodes
// vm: -Xint --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
// vm: -Djdk.virtualThreadScheduler.parallelism=1
// vm: -Djdk.virtualThreadScheduler.maxPoolSize=1
// stress: -Dearly=1
// departs 25: retransform-continuation
// departs 25: continuation-retransformed
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** A VM may run code of its own in place of a method of the class library, but not hide
    the calls that the method makes from an agent that has changed the callee.  The
    property "early" lets the agent change the class when it is loaded, which the JDK's
    VM does not survive: it cannot load Calls before java.base is defined. */
public class LibraryBodies {
    static native int retransform(Class<?> c);
    static native int breakpoint(Class<?> c, String method, boolean set);

    static Field field(String name) throws Exception {
        Field f = Class.forName("Calls", true, null).getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }

    /** Calls of StringLatin1.equals(byte[], byte[]) while 100 pairs of strings of one
        length, one byte a character, are compared. */
    static int comparisons() throws Exception {
        Field calls = field("calls"), counted = field("counted");
        String[] a = new String[100], b = new String[100];
        int equal = 0;

        for (int i = 0; i < a.length; i++) {
            a[i] = "number " + (100 + i);
            b[i] = "number " + (100 + i / 2);
        }
        calls.setInt(null, 0);
        counted.set(null, Thread.currentThread());
        for (int i = 0; i < a.length; i++)
            if (a[i].equals(b[i]))
                equal++;
        counted.set(null, null);
        System.out.println((equal == 1 ? "ok " : "not ok ") + "equal: " + equal);
        return calls.getInt(null);
    }

    static void is(String name, int actual, int expected) {
        System.out.println((actual == expected ? "ok " : "not ok ") + name + ": " + actual);
    }

    /** A continuation of JDK 25 that yields whenever it runs, by reflection: this is
        compiled by JDK 17, too. */
    static class Yielding {
        final Class<?> type = Class.forName("jdk.internal.vm.Continuation");
        final Class<?> scopeType = Class.forName("jdk.internal.vm.ContinuationScope");
        final Object scope = scopeType.getConstructor(String.class).newInstance("test");
        final Method yield = type.getMethod("yield", scopeType);
        final Method run = type.getMethod("run");
        final Object continuation = type.getConstructor(scopeType, Runnable.class)
            .newInstance(scope, (Runnable) this::yieldForever);

        Yielding() throws Exception {
        }

        void yieldForever() {
            try {
                while (true)
                    yield.invoke(null, scope);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        void run(int times) throws Exception {
            for (int i = 0; i < times; i++)
                run.invoke(continuation);
        }

        /** How often the method is called when the continuation runs and yields. */
        void calls(Class<?> c, String method, int expected) throws Exception {
            breakpoint(c, method, true);
            run(10);
            is(c.getSimpleName() + "-" + method, breakpoint(c, method, false),
                10 * expected);
            run(10);
        }
    }

    static void checkContinuations(boolean early) throws Exception {
        Yielding y = new Yielding();
        Class<?> access = Class.forName("java.lang.System$1");
        Field calls = field("calls"), counted = field("counted");

        y.run(10);
        y.calls(y.type, "mount", 1);
        y.calls(y.type, "unmount", 1);
        y.calls(y.type, "fence", 1);
        y.calls(y.type, "currentCarrierThread", 3);
        y.calls(access, "currentCarrierThread", 3);
        y.calls(access, "getContinuation", 2);
        y.calls(access, "setContinuation", 2);
        y.calls(access, "scopedValueCache", 1);
        y.calls(access, "setScopedValueCache", 2);
        y.calls(Thread.class, "getContinuation", 2);
        for (boolean changed : new boolean[] { false, true }) {
            if (changed)
                is("retransform-continuation", retransform(y.type), 0);
            calls.setInt(null, 0);
            counted.set(null, Thread.currentThread());
            y.run(10);
            counted.set(null, null);
            is(changed ? "continuation-retransformed" : "continuation-at-first",
                calls.getInt(null), changed || early ? 10 : 0);
        }
    }

    static Thread startVirtual(Runnable task) throws Exception {
        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
            .invoke(null, task);
    }

    /** Object.wait of a virtual thread leaves the only carrier to the one that notifies,
        also after Object was retransformed. */
    static void checkWait() throws Exception {
        boolean[] notified = new boolean[1];

        is("retransform-object", retransform(Object.class), 0);
        Thread waiter = startVirtual(() -> {
            synchronized (notified) {
                try {
                    while (!notified[0])
                        notified.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        while (waiter.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        startVirtual(() -> {
            synchronized (notified) {
                notified[0] = true;
                notified.notify();
            }
        });
        waiter.join(20000);
        is("waiter-ended", waiter.isAlive() ? 0 : 1, 1);
    }

    public static void main(String[] args) throws Exception {
        boolean early = System.getProperty("early") != null;

        if (Runtime.version().feature() >= 25) {
            checkContinuations(early);
            checkWait();
        }
        is("at-first", comparisons(), early ? 100 : 0);
        is("retransform", retransform(Class.forName("java.lang.StringLatin1")), 0);
        is("retransformed", comparisons(), 100);
    }
}
