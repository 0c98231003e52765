// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

// departs 17: running.get (HotSpot stops the thread itself and does not ask whether it is suspended)
// departs 17: running.set
// departs 17: running.instance
// departs: bare.types (without a table, HotSpot tells references from all else only)
// departs: bare.refuse

/** Locals of known types and values, of this thread and of a suspended one. */
public class Locals {
    static final int MISMATCH = 34, SLOT = 35, OPAQUE = 32, NO_MORE = 31,
        NOT_SUSPENDED = 13, ILLEGAL = 103;

    public static native Object get(Thread thread, int depth, int slot, char type);
    public static native int error();
    public static native int set(Thread thread, int depth, int slot, char type, Object value,
                          double number);
    public static native String types(Thread thread, int depth, int slots);
    public static native int suspend(Thread thread);
    public static native int resume(Thread thread);
    public static native int depthOf(Thread thread, String method);
    native Object instance();

    static void check(String name, Object actual, Object expected) {
        boolean good = expected == null ? actual == null : expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    static Object value(Object v) {
        return error() != 0 ? "error " + error() : v;
    }

    // ---- every type ----

    static void every(boolean z, byte b, char c, short s, int i, long j, float f, double d,
                      String o, int[] a, List<String> l) {
        check("every.types", types(null, 1, 16), "IIIIIJ.FD.LLL...");
        check("every.boolean", value(get(null, 1, 0, 'I')), 1);
        check("every.byte", value(get(null, 1, 1, 'I')), -5);
        check("every.char", value(get(null, 1, 2, 'I')), 0xfffe);
        check("every.short", value(get(null, 1, 3, 'I')), -30000);
        check("every.int", value(get(null, 1, 4, 'I')), 1 << 30);
        check("every.long", value(get(null, 1, 5, 'J')), 1L << 40 | 3);
        check("every.float", value(get(null, 1, 7, 'F')), 1.25f);
        check("every.double", value(get(null, 1, 8, 'D')), -1e300);
        check("every.string", value(get(null, 1, 10, 'L')), "text");
        check("every.array", value(get(null, 1, 11, 'L')) == a, true);
        check("every.null", value(get(null, 1, 12, 'L')), null);
        int codes = set(null, 1, 0, 'I', null, 0) | set(null, 1, 1, 'I', null, 6)
            | set(null, 1, 2, 'I', null, 7) | set(null, 1, 3, 'I', null, 8)
            | set(null, 1, 4, 'I', null, -9) | set(null, 1, 5, 'J', null, 1e15)
            | set(null, 1, 7, 'F', null, 0.5) | set(null, 1, 8, 'D', null, 1e-3)
            | set(null, 1, 10, 'L', "other", 0) | set(null, 1, 11, 'L', new int[7], 0)
            | set(null, 1, 12, 'L', Arrays.asList("x", "y"), 0);
        check("every.set", codes, 0);
        check("every.changed",
              "" + z + b + (int) c + s + i + " " + j + " " + f + " " + d + o + a.length + l,
              "false678-9 1000000000000000 0.5 0.001other7[x, y]");
        check("every.null-set", set(null, 1, 10, 'L', null, 0), 0);
        check("every.null-seen", o, null);
    }

    static void errors(int i, long j, String s, int[] a, String[][] t, Runnable r, Object o,
                       double last) {
        check("errors.int-as-long", set(null, 1, 0, 'J', null, 0), MISMATCH);
        check("errors.int-as-object", set(null, 1, 0, 'L', "x", 0), MISMATCH);
        check("errors.object-as-int", set(null, 1, 3, 'I', null, 5), MISMATCH);
        check("errors.long-as-double", set(null, 1, 1, 'D', null, 5), MISMATCH);
        check("errors.class", set(null, 1, 3, 'L', 5, 0), MISMATCH);
        check("errors.array", set(null, 1, 4, 'L', new long[1], 0), MISMATCH);
        check("errors.not-array", set(null, 1, 4, 'L', "x", 0), MISMATCH);
        check("errors.element", set(null, 1, 5, 'L', new Object[0][0], 0), MISMATCH);
        check("errors.dimension", set(null, 1, 5, 'L', new String[0], 0), MISMATCH);
        check("errors.interface", set(null, 1, 6, 'L', "x", 0), MISMATCH);
        check("errors.good-array", set(null, 1, 5, 'L', new String[3][], 0), 0);
        check("errors.good-interface", set(null, 1, 6, 'L', new Thread(), 0), 0);
        check("errors.good-object", set(null, 1, 7, 'L', new int[1], 0), 0);
        check("errors.second-half", set(null, 1, 2, 'J', null, 5), SLOT);
        check("errors.last-half", set(null, 1, 9, 'D', null, 5), SLOT);
        check("errors.negative-slot", set(null, 1, -1, 'I', null, 5), SLOT);
        check("errors.huge-slot", set(null, 1, 0x7fffffff, 'I', null, 5), SLOT);
        check("errors.negative-depth", set(null, -1, 0, 'I', null, 5), ILLEGAL);
        check("errors.no-frame", set(null, 1000, 0, 'I', null, 5), NO_MORE);
        check("errors.native-set", set(null, 0, 0, 'I', null, 5), OPAQUE);
        get(null, 0, 0, 'L');
        check("errors.native-get", error(), OPAQUE);
        get(null, 1000, 0, 'T');
        check("errors.instance-no-frame", error(), NO_MORE);
        check("errors.kept", i + j + s + a.length + t.length + (r instanceof Thread)
              + (o instanceof int[]) + last, "9s23truetrue4.0");
    }

    // ---- this ----

    Object mine() {
        return get(null, 1, 0, 'T');
    }

    static Object nobodys() {
        return value(get(null, 1, 0, 'T'));
    }

    void instances() {
        check("instance.java", value(mine()) == this, true);
        check("instance.native", value(instance()) == this, true);
        check("instance.static", nobodys(), "error 35");
        Object inNative = get(null, 0, 0, 'T');
        check("instance.static-native", value(inNative), "error 35");
        check("instance.slot-0", value(get(null, 1, 0, 'L')) == this, true);
        check("instance.wrong-this", set(null, 1, 0, 'L', "x", 0), MISMATCH);
    }

    // ---- scopes ----

    static void scopes(int n) {
        String first, second, third;
        {
            int x = 5;
            long y = 6;
            first = types(null, 1, 8);
            n += x + y;
        }
        {
            String x = "" + n;
            float y = 7;
            second = types(null, 1, 8);
            n += x.length() + y;
        }
        third = types(null, 1, 8);
        check("scopes.first", first, "I...IJ..");
        check("scopes.second", second, "IL..LF..");
        check("scopes.third", third, "ILL.....");
    }

    // ---- arguments are not the caller's ----

    static int changed(int a, long b) {
        set(null, 1, 0, 'I', null, 100);
        set(null, 1, 1, 'J', null, 1000);
        return a + (int) b;
    }

    static void arguments() {
        int a = 3;
        long b = 4;
        int sum = a + changed(a, b) + (int) b;
        check("arguments.callee", sum, 1107);
        check("arguments.caller", a + b, 7L);
    }

    static int setCaller(int unused) {
        set(null, 2, 0, 'I', null, 50);
        return 1;
    }

    static int operands(int a) {
        return a * 10 + setCaller(a) + a;
    }

    static void deep(int level, int[] seen) {
        if (level > 0) {
            deep(level - 1, seen);
        } else {
            for (int d = 1; d <= 5; d++)
                set(null, d, 0, 'I', null, 10 * d);
        }
        seen[level > 9 ? level / 10 - 1 : 0] = level;
    }

    static void handler(int n) {
        try {
            n = 10 / (n - n);
        } catch (ArithmeticException e) {
            check("handler.exception", value(get(null, 1, 1, 'L')) == e, true);
            set(null, 1, 0, 'I', null, 33);
        }
        check("handler.set", n, 33);
    }

    // ---- without a table ----

    public static class Bare {
        public static String all(int i, long j, Object o, float f, double d) {
            int k = i + 1;
            Object p = o;
            String seen = types(null, 1, 12);
            return k + seen + (p == o);
        }

        public static int store(int i, String s, Number n) {
            int k = i;
            int codes = set(null, 1, 0, 'I', null, 20) + set(null, 1, 3, 'I', null, 7)
                + set(null, 1, 1, 'L', "longer", 0);
            return codes * 1000 + i + k + s.length();
        }

        public static int refuse(String s, int i, int j) {
            return set(null, 1, 0, 'L', 5, 0) + set(null, 1, 1, 'J', null, 5);
        }
    }

    /** Renames the attribute in the class file. */
    static class Stripper extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve)
            throws ClassNotFoundException {
            if (!name.equals("Locals$Bare"))
                return super.loadClass(name, resolve);
            try (InputStream in = Locals.class.getResourceAsStream("Locals$Bare.class")) {
                String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] b = text.replace("LocalVariableTable", "LocalVariableNone_")
                    .getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void bare() throws Exception {
        Class<?> c = new Stripper().loadClass("Locals$Bare");
        Object all = c.getMethod("all", int.class, long.class, Object.class, float.class,
                                 double.class).invoke(null, 1, 2L, "o", 3f, 4d);
        check("bare.types", all, "2IJ.LFD.IL...true");
        Object stored = c.getMethod("store", int.class, String.class, Number.class)
            .invoke(null, 1, "s", 5);
        check("bare.store", stored, 20 + 7 + 6);
        Object refused = c.getMethod("refuse", String.class, int.class, int.class)
            .invoke(null, "s", 5, 6);
        check("bare.refuse", refused, 2 * MISMATCH);
    }

    // ---- another thread ----

    static volatile boolean go;

    static class Worker extends Thread {
        volatile int started;
        String result;

        int spin(int i, long j, float f, double d, String s, int[] a) {
            boolean on = true;
            int n = 0, triple = 0;
            while (on) {
                n++;
                triple = n * 3;
                started = n;
            }
            return result(i, j, f, d, s, a, triple);
        }

        int result(int i, long j, float f, double d, String s, int[] a, int triple) {
            result = i + " " + j + " " + f + " " + d + " " + s + " " + a.length;
            return triple;
        }

        @Override
        public void run() {
            spin(1, 2L, 3f, 4d, "five", new int[6]);
        }
    }

    static void other() throws Exception {
        Worker w = new Worker();
        w.setDaemon(true);
        w.start();
        while (w.started < 10)
            Thread.onSpinWait();
        get(w, 0, 1, 'I');
        check("running.get", error(), NOT_SUSPENDED);
        check("running.set", set(w, 0, 1, 'I', null, 1), NOT_SUSPENDED);
        get(w, 0, 0, 'T');
        check("running.instance", error(), NOT_SUSPENDED);
        boolean consistent = true;
        for (int i = 0; i < 100; i++) {
            int before = w.started;
            suspend(w);
            int d = depthOf(w, "spin");
            int n = (Integer) get(w, d, 10, 'I'), triple = (Integer) get(w, d, 11, 'I');
            consistent &= triple == n * 3 || triple == (n - 1) * 3;
            consistent &= n >= before && get(w, d, 0, 'T') == w;
            resume(w);
        }
        check("other.consistent", consistent, true);
        suspend(w);
        int d = depthOf(w, "spin");
        check("other.types", types(w, d, 14), "LIJ.FD.LLIII..");
        check("other.int", value(get(w, d, 1, 'I')), 1);
        check("other.long", value(get(w, d, 2, 'J')), 2L);
        check("other.float", value(get(w, d, 4, 'F')), 3f);
        check("other.double", value(get(w, d, 5, 'D')), 4d);
        check("other.object", value(get(w, d, 7, 'L')), "five");
        check("other.boolean", value(get(w, d, 9, 'I')), 1);
        String made = new String("made");
        check("other.set", set(w, d, 1, 'I', null, 11) | set(w, d, 2, 'J', null, 22)
              | set(w, d, 4, 'F', null, 33) | set(w, d, 5, 'D', null, 44)
              | set(w, d, 7, 'L', made, 0) | set(w, d, 8, 'L', new int[66], 0)
              | set(w, d, 9, 'I', null, 0), 0);
        made = null;
        System.gc();
        resume(w);
        w.join();
        check("other.result", w.result, "11 22 33.0 44.0 made 66");
        get(w, 0, 0, 'I');
        check("other.ended", error(), 15);
    }

    public static void main(String[] args) throws Exception {
        every(true, (byte) -5, '\ufffe', (short) -30000, 1 << 30, 1L << 40 | 3, 1.25f, -1e300,
              "text", new int[2], null);
        errors(4, 5, "s", new int[2], null, null, null, 4.0);
        new Locals().instances();
        scopes(1);
        arguments();
        check("operands", operands(4), 40 + 1 + 50);
        int[] seen = new int[5];
        deep(4, seen);
        check("deep", Arrays.toString(seen), "[10, 20, 30, 40, 50]");
        handler(1);
        bare();
        other();
    }
}
