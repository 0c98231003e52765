/* SPDX-License-Identifier: MIT */

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What the agent's calls are about: threads in all states, groups, classes of loaders
 * that come and go, modules and objects.  The agent asks for them by kind and variant
 * (the order of the kinds is that of stage.h), and the streams of calls run in native
 * methods of threads that are started here.
 */
public final class Calls {
    static final int THREADS = 24;

    static final Object[] LOCKS = { new Object(), new Object(), new Object() };
    private static final ArrayDeque<Life> alive = new ArrayDeque<>();

    private Calls() {
    }

    /** Makes some calls; false after the last one. */
    static native boolean batch(int stream);

    /** The number of streams, or the bits of those that have a Java thread. */
    static native int streams(boolean bits);

    /** Waits until the streams of C threads have ended. */
    static native void join();

    static native void resume(Thread thread);

    static native void sleepInNative(int millis);

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        if (args.length > 1)
            Attach.agent(args[0], args[1]);
        int bits = streams(true);
        Thread[] threads = new Thread[streams(false)];
        for (int i = 1; i < threads.length; i++)
            if ((bits & 1 << i) != 0)
                (threads[i] = new Stream(i)).start();
        new Stream(0).run();
        for (int i = 1; i < threads.length; i++)
            while (threads[i] != null && threads[i].isAlive())
                await(threads[i]);
        join();
    }

    private static void await(Thread thread) {
        try {
            thread.join(1000);
        } catch (Throwable t) {
            // Calls interrupt this thread, too.
        }
    }

    /** Frames of this class are left alone, so a stream survives its own calls. */
    static final class Stream extends Thread {
        private final int number;

        Stream(int number) {
            super("stream " + number);
            this.number = number;
        }

        @Override
        public void run() {
            for (;;) {
                try {
                    if (!Life.nest(number & 3, () -> batch(number)))
                        return;
                } catch (Throwable t) {
                    // An early return or an exception of another stream's.
                }
            }
        }
    }

    /** A new object of a kind. */
    static Object make(int kind, int variant) throws Throwable {
        switch (kind) {
        case 0:
            return thread(variant);
        case 1:
            return group(variant);
        case 2:
            return type(variant);
        case 3:
            return loader(variant);
        case 4:
            return module(variant);
        default:
            return object(variant);
        }
    }

    private static Thread thread(int variant) throws Throwable {
        if (variant % 16 == 15)
            return Thread.currentThread();
        if (variant % 16 == 14)
            return other();
        Life life = new Life(variant % 14);
        if (life.state == Life.UNSTARTED)
            return life;
        life.start();
        if (life.state == Life.TERMINATED) {
            life.join();
            return life;
        }
        Life oldest = null;
        synchronized (alive) {
            alive.add(life);
            if (alive.size() > THREADS)
                oldest = alive.remove();
        }
        if (oldest != null)
            oldest.end();
        for (int i = 0; i < 1000 && !life.ready; i++)
            Thread.yield();
        return life;
    }

    /** A virtual thread where there are some, else one of the system's. */
    private static Thread other() {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) () -> LockSupport.parkNanos(50_000_000));
        } catch (ReflectiveOperationException e) {
            Thread[] all = new Thread[4];
            group(0).enumerate(all, false);
            return all[0] != null ? all[0] : Thread.currentThread();
        }
    }

    private static ThreadGroup group(int variant) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        if (group == null)
            return null;
        if (variant % 3 == 1)
            return new ThreadGroup(group, "group");
        while (variant % 3 == 0 && group.getParent() != null)
            group = group.getParent();
        return group;
    }

    private static Class<?> type(int variant) throws Throwable {
        switch (variant % 16) {
        case 0: return String.class;
        case 1: return int[].class;
        case 2: return int.class;
        case 3: return Runnable.class;
        case 4: return Life.class;
        case 5: return Target.class;
        case 6: return new Loader().load("VictimA");
        case 7: return VictimA.class;
        case 8: return String[][].class;
        case 9: return hidden();
        case 10: return proxy().getClass();
        case 11: return HashMap.class;
        case 12: return new Loader().load("VictimC");
        case 13: return ((Supplier<?>) () -> variant).getClass();
        case 14: return void.class;
        default: return Thread.State.class;
        }
    }

    private static Class<?> hidden() throws Throwable {
        return MethodHandles.lookup().defineHiddenClass(bytes("VictimA"), true)
            .lookupClass();
    }

    private static Object proxy() {
        return Proxy.newProxyInstance(Calls.class.getClassLoader(),
                                      new Class<?>[] { Runnable.class, Comparable.class },
                                      (self, method, arguments) -> null);
    }

    private static ClassLoader loader(int variant) throws Throwable {
        switch (variant % 4) {
        case 0:
            return Calls.class.getClassLoader();
        case 1:
            return ClassLoader.getPlatformClassLoader();
        case 2:
            return new Loader();
        default:
            Loader loader = new Loader();
            loader.load("VictimA").getDeclaredConstructor().newInstance();
            return loader;
        }
    }

    private static Module module(int variant) throws Throwable {
        switch (variant % 4) {
        case 0:
            return Object.class.getModule();
        case 1:
            return Calls.class.getModule();
        case 2:
            return ModuleLayer.boot().modules().iterator().next();
        default:
            return new Loader().getUnnamedModule();
        }
    }

    record Pair(Object left, int right) {
    }

    private static Object object(int variant) throws Throwable {
        switch (variant % 24) {
        case 0: return "text \u00e9\u4e2d " + variant;
        case 1: return new Target(variant, 1L, 1.5, null);
        case 2: return LOCKS[variant % LOCKS.length];
        case 3: return new IllegalStateException("made " + variant);
        case 4: return new boolean[variant % 9];
        case 5: return new byte[variant % 70];
        case 6: return new char[] { 'a', 'b', '\0' };
        case 7: return new short[7];
        case 8: return new int[variant % 1000];
        case 9: return new long[3];
        case 10: return new float[] { 1.5f };
        case 11: return new double[5];
        case 12: return new Object[] { "element", null, new int[1] };
        case 13: return (Supplier<?>) () -> variant;
        case 14: return proxy();
        case 15: return new Pair("left", 2);
        case 16: return MethodHandles.lookup().findStatic(
            Calls.class, "action",
            java.lang.invoke.MethodType.methodType(void.class, int.class));
        case 17: return new WeakReference<>(new Object());
        case 18: return new SoftReference<>(new int[4]);
        case 19: return ByteBuffer.allocateDirect(64);
        case 20: return Target.class.getMethods()[0];
        case 21: return Target.class.getFields()[0];
        case 22: return new Loader().load("VictimA").getDeclaredConstructor().newInstance();
        default: return Thread.State.BLOCKED;
        }
    }

    /** Something that Java does meanwhile. */
    static void action(int what) throws Throwable {
        switch (what % 12) {
        case 0:
            Life.recursion(30);
            break;
        case 1:
            Life.exceptions(3);
            break;
        case 2:
            new Loader().load("VictimA").getDeclaredConstructor().newInstance();
            break;
        case 3:
            Life.locked(LOCKS[what % LOCKS.length], 3);
            break;
        case 4:
            synchronized (LOCKS[0]) {
                LOCKS[0].notifyAll();
            }
            break;
        case 5:
            Life.locals(what, 2L, 3f, 4d, "five");
            break;
        case 6:
            Life.allocations(20);
            break;
        case 7:
            new VictimA().work(what);
            break;
        case 8:
            new Target(1, 2, 3, "4").callLong(what, 2L, 3d, LOCKS);
            break;
        case 9:
            proxy().hashCode();
            break;
        case 10:
            Life some;
            synchronized (alive) {
                some = alive.peek();
            }
            if (some != null)
                LockSupport.unpark(some);
            break;
        default:
            hidden();
        }
    }

    /** A version of VictimA: the same, other bodies, a method more, another superclass. */
    static byte[] version(int number) throws Exception {
        byte[] bytes = bytes("Victim" + (char) ('A' + number));
        for (int i = 0; i + 7 < bytes.length; i++)
            if (new String(bytes, i, 6, "ISO-8859-1").equals("Victim"))
                bytes[i + 6] = 'A';
        return bytes;
    }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = Calls.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    static final class Loader extends ClassLoader {
        Loader() {
            super(Calls.class.getClassLoader());
        }

        Class<?> load(String name) throws Exception {
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}

/** Attaching to the own process: the agent begins in the live phase. */
final class Attach {
    private Attach() {
    }

    static void agent(String library, String options) throws Exception {
        Class<?> machine = Class.forName("com.sun.tools.attach.VirtualMachine");
        Object self = machine.getMethod("attach", String.class)
            .invoke(null, Long.toString(ProcessHandle.current().pid()));
        machine.getMethod("loadAgentPath", String.class, String.class)
            .invoke(self, library, options);
        machine.getMethod("detach").invoke(self);
    }
}

/** Fields and methods of all types, for JNI. */
class Target {
    public boolean fBoolean;
    public byte fByte;
    public char fChar;
    public short fShort;
    public int fInt;
    public long fLong;
    public float fFloat;
    public double fDouble;
    public Object fObject;
    public static boolean sBoolean;
    public static byte sByte;
    public static char sChar;
    public static short sShort;
    public static int sInt;
    public static long sLong;
    public static float sFloat;
    public static double sDouble;
    public static Object sObject;

    public Target(int i, long j, double d, Object o) {
        fInt = i;
        fLong = j;
        fDouble = d;
        fObject = o;
    }

    public boolean callBoolean(int i, long j, double d, Object o) { return o == null; }
    public byte callByte(int i, long j, double d, Object o) { return (byte) i; }
    public char callChar(int i, long j, double d, Object o) { return (char) i; }
    public short callShort(int i, long j, double d, Object o) { return (short) i; }
    public int callInt(int i, long j, double d, Object o) { return i + fInt; }
    public long callLong(int i, long j, double d, Object o) { return i + j; }
    public float callFloat(int i, long j, double d, Object o) { return (float) d; }
    public double callDouble(int i, long j, double d, Object o) { return d; }
    public Object callObject(int i, long j, double d, Object o) { return o; }

    public void callVoid(int i, long j, double d, Object o) {
        if (i < 0)
            throw new IllegalArgumentException("negative");
        fObject = o;
    }

    public static boolean sCallBoolean(int i, long j, double d, Object o) { return true; }
    public static byte sCallByte(int i, long j, double d, Object o) { return (byte) j; }
    public static char sCallChar(int i, long j, double d, Object o) { return (char) j; }
    public static short sCallShort(int i, long j, double d, Object o) { return 1; }
    public static int sCallInt(int i, long j, double d, Object o) { return 100 / i; }
    public static long sCallLong(int i, long j, double d, Object o) { return j; }
    public static float sCallFloat(int i, long j, double d, Object o) { return 2f; }
    public static double sCallDouble(int i, long j, double d, Object o) { return -d; }

    public static Object sCallObject(int i, long j, double d, Object o) {
        return o != null ? o.toString() : null;
    }

    public static void sCallVoid(int i, long j, double d, Object o) {
        sObject = o;
    }
}

/** The class that is redefined; the others become its versions. */
class VictimA {
    static int count;
    private int value = 5;

    int work(int n) {
        count++;
        value += n;
        return value + half(n);
    }

    private static int half(int n) {
        return n / 2;
    }
}

class VictimB {
    static int count;
    private int value = 5;

    int work(int n) {
        for (int i = 0; i < 3; i++)
            value ^= n;
        return value;
    }

    private static int half(int n) {
        return n >> 1;
    }
}

class VictimC {
    static int count;
    private int value = 5;

    int work(int n) {
        return value + more();
    }

    int more() {
        return 7;
    }

    private static int half(int n) {
        return n / 2;
    }
}

class VictimD extends HashMap<String, String> {
    static int count;
    private int value = 5;

    int work(int n) {
        return value;
    }

    private static int half(int n) {
        return n / 2;
    }
}

/** A thread that stays in a state until it has to end.  Its frames may be disturbed. */
final class Life extends Thread {
    static final int RUNNING = 0, WAITING = 1, TIMED = 2, SLEEPING = 3, PARKED = 4,
        BLOCKED = 5, NATIVE = 6, UNSTARTED = 7, TERMINATED = 8, DEEP = 9,
        THROWING = 10, CONTENDING = 11, LOADING = 12, ALLOCATING = 13;

    final int state;
    volatile boolean ready;
    private volatile boolean over;
    private final Object lock = new Object();
    private final Object held = new Object();
    private static volatile Object garbage;
    static volatile int sum;

    Life(int state) {
        super("life " + state);
        this.state = state;
        setDaemon(true);
    }

    void end() {
        over = true;
        Calls.resume(this);
        LockSupport.unpark(this);
        interrupt();
    }

    @Override
    public void run() {
        for (int i = 0; i < 4 && !over; i++) {
            try {
                live();
            } catch (Throwable t) {
                // Whatever an agent throws into a thread.
            }
        }
    }

    private void live() throws Throwable {
        ready = state == RUNNING || state >= THROWING;
        switch (state) {
        case RUNNING:
            for (int i = 0; !over; i++) {
                sum += locals(i, i, i, i, this);
                if ((i & 63) == 0)
                    sleep(1);
            }
            break;
        case BLOCKED:
            Thread holder = new Thread(this::hold, "holder");
            holder.setDaemon(true);
            holder.start();
            while (!ready && !over)
                sleep(1);
            synchronized (held) {
                over = true;
            }
            break;
        case TERMINATED:
            break;
        case DEEP:
            deep(100);
            break;
        case THROWING:
            while (!over) {
                exceptions(2);
                sleep(2);
            }
            break;
        case CONTENDING:
            while (!over)
                locked(Calls.LOCKS[1], 1);
            break;
        case LOADING:
            while (!over) {
                new Calls.Loader().load("VictimA").getDeclaredConstructor().newInstance();
                sleep(5);
            }
            break;
        case ALLOCATING:
            while (!over) {
                allocations(10);
                sleep(2);
            }
            break;
        default:
            rest();
        }
    }

    private void hold() {
        synchronized (held) {
            ready = true;
            while (!over)
                LockSupport.parkNanos(20_000_000);
        }
    }

    private void rest() throws InterruptedException {
        int kept = 7;
        String text = "kept";

        ready = true;
        switch (state) {
        case WAITING:
            synchronized (lock) {
                while (!over)
                    lock.wait();
            }
            break;
        case TIMED:
            synchronized (lock) {
                while (!over)
                    lock.wait(60_000);
            }
            break;
        case SLEEPING:
            while (!over)
                sleep(60_000);
            break;
        case NATIVE:
            while (!over)
                Calls.sleepInNative(20);
            break;
        default:
            while (!over) {
                LockSupport.park(lock);
                interrupted();
            }
        }
        sum += kept + text.length();
    }

    private int deep(int n) throws InterruptedException {
        long wide = n;
        double real = n;

        if (n == 0)
            rest();
        else
            n += deep(n - 1);
        return n + (int) (wide + real);
    }

    /** Runs the body under frames of several kinds. */
    static boolean nest(int depth, Supplier<Boolean> body) {
        Object kept = body;
        int before = depth;

        if (depth > 0)
            return nest(depth - 1, body);
        boolean result = body.get();
        return result && kept != null && before == 0;
    }

    static int recursion(int n) {
        return n <= 0 ? 0 : 1 + recursion(n - 1);
    }

    static int exceptions(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                Object o = i == 0 ? "text" : null;
                caught += ((Integer) o).intValue();
            } catch (ClassCastException | NullPointerException e) {
                caught++;
            } finally {
                caught += 2;
            }
        }
        return caught;
    }

    static void locked(Object lock, int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            synchronized (lock) {
                sum++;
                lock.wait(1);
            }
        }
    }

    static synchronized int locals(int i, long j, float f, double d, Object o) {
        int a = i + 1;
        long b = j * 3;
        float c = f / 2;
        double e = d - 1;
        String text = o == null ? "none" : "some";
        return a + (int) b + (int) c + (int) e + text.length();
    }

    static void allocations(int n) {
        for (int i = 0; i < n; i++)
            garbage = new Object[] { garbage == null ? new int[i] : null, "x" + i,
                new Object() {
                    @Override
                    @SuppressWarnings({ "deprecation", "removal" })
                    protected void finalize() {
                        sum++;
                    }
                } };
    }
}
