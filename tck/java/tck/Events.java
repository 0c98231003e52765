/* SPDX-License-Identifier: MIT */
package tck;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;

/** Provokes events; the instructions of small methods are known to tck/agent. */
class Events {
    static final Object LOCK = new Object();
    static int watched = 1;
    int instanceWatched = 2;
    static int[] numbers;
    /** Volatile, so that a compiler has to make what is stored here. */
    static volatile Object sink;
    static volatile boolean blocked;

    private Events() {
    }

    /** iload_0, iload_0, iadd, ireturn: locations 0 to 3. */
    static int step(int a) {
        return a + a;
    }

    /** aload_0, athrow. */
    static void fail(RuntimeException e) {
        throw e;
    }

    static int failAndCatch(RuntimeException e) {
        try {
            fail(e);
        } catch (RuntimeException caught) {
            return 1;
        }
        return 0;
    }

    static int finallyRuns(RuntimeException e) {
        int n = 0;
        try {
            try {
                fail(e);
            } finally {
                n = 1;
            }
        } catch (RuntimeException caught) {
            return n + 1;
        }
        return n;
    }

    /** getstatic, ireturn. */
    static int readStatic() {
        return watched;
    }

    /** iload_0, putstatic, return. */
    static void writeStatic(int value) {
        watched = value;
    }

    static void writeNumbers(int[] value) {
        numbers = value;
    }

    static int readInstance(Events e) {
        return e.instanceWatched;
    }

    static void writeInstance(Events e, int value) {
        e.instanceWatched = value;
    }

    static Events create() {
        return new Events();
    }

    /** Called by popped(): asks for the caller's FramePop in the agent. */
    static native void notifyPop();

    static int popped() {
        notifyPop();
        return 5;
    }

    static void poppedByException() {
        notifyPop();
        fail(new IllegalStateException());
    }

    static int catchPopped() {
        try {
            poppedByException();
        } catch (IllegalStateException e) {
            return 1;
        }
        return 0;
    }

    static native void toBind();

    static void runThread() throws InterruptedException {
        Thread thread = new Thread("tck-probe") {
            @Override
            public void run() {
                step(1);
            }
        };
        thread.start();
        thread.join();
    }

    static void runVirtual() throws Exception {
        Thread thread = (Thread) Thread.class.getMethod("startVirtualThread",
            Runnable.class).invoke(null, (Runnable) () -> step(1));
        thread.join();
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Events.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("tck.Loaded"))
                return super.loadClass(name);
            Class<?> known = findLoadedClass(name);
            if (known != null)
                return known;
            try {
                byte[] bytes = Host.bytes(name.replace('.', '/'));
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static ClassLoader newLoader() {
        return new Loader();
    }

    /** Loads and initialises tck.Loaded in a loader of its own. */
    static Class<?> load() throws Exception {
        return Class.forName("tck.Loaded", true, new Loader());
    }

    /** Loads it without linking. */
    static Class<?> loadOnly() throws Exception {
        return new Loader().loadClass("tck.Loaded");
    }

    static void waitShortly() throws InterruptedException {
        synchronized (LOCK) {
            LOCK.wait(1);
        }
    }

    /** Waits without a limit until another thread notifies. */
    static void waitForNotify() throws InterruptedException {
        Thread waiter = Thread.currentThread();
        Thread notifier = new Thread(() -> {
            while (waiter.getState() != Thread.State.WAITING)
                Thread.yield();
            synchronized (LOCK) {
                LOCK.notifyAll();
            }
        }, "notifier");
        synchronized (LOCK) {
            notifier.start();
            LOCK.wait();
        }
        notifier.join();
    }

    /** The calling thread blocks on LOCK, which another one holds until then. */
    static void contend() throws InterruptedException {
        Thread blockedOne = Thread.currentThread();
        blocked = false;
        Thread holder = new Thread(() -> {
            synchronized (LOCK) {
                blocked = true;
                while (blockedOne.getState() != Thread.State.BLOCKED)
                    Thread.yield();
            }
        }, "holder");
        holder.setDaemon(true);
        holder.start();
        while (!blocked)
            Thread.onSpinWait();
        synchronized (LOCK) {
            step(1);
        }
        holder.join();
    }

    /** Asks for more than the heap has; 0: it got it. */
    static int exhaust() {
        long most = Runtime.getRuntime().maxMemory() / 8 + 1;
        int length = (int) Math.min(most, Integer.MAX_VALUE - 64);
        try {
            long[][] all = new long[6][];
            for (int i = 0; i < all.length; i++) {
                all[i] = new long[length];
                sink = all;
            }
        } catch (OutOfMemoryError e) {
            sink = null;
            return 1;
        }
        sink = null;
        return 0;
    }

    static void allocateInVM() throws Exception {
        sink = Events.class.getDeclaredConstructor().newInstance();
        sink = Array.newInstance(Events.class, 3);
        sink = new int[4].clone();
    }

    static void allocate() {
        for (int i = 0; i < 2000; i++)
            sink = new long[64];
        sink = null;
    }

    static void allocateOne() {
        sink = new long[64];
    }

    /** Works until the VM says that it has compiled something; false: it never does. */
    static boolean compiled() {
        CompilationMXBean compiler;
        long end = System.nanoTime() + 10_000_000_000L;

        try {
            compiler = ManagementFactory.getCompilationMXBean();
        } catch (LinkageError e) {
            return false;   /* a runtime image without the module java.management */
        }

        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported())
            return false;
        while (compiler.getTotalCompilationTime() == 0 && System.nanoTime() < end)
            allocate();
        return compiler.getTotalCompilationTime() > 0;
    }
}
