/* SPDX-License-Identifier: MIT */
/* A JNI library: arguments and results of all types, calls back, fields. */
public class NativeCalls {
    static {
        System.loadLibrary("NativeCalls");
    }

    int count = 5;
    static String shared = "static";
    double ratio = 0.5;

    static native int add(int a, int b);

    static native long mixed(boolean z, byte b, char c, short s, int i, long l, float f, double d,
                             int i2, long l2, float f2, double d2, float f3, double d3, float f4,
                             double d4, float f5, byte b2, Object o);

    static native float half(float f);

    static native double scale(double d, float f);

    static native boolean not(boolean z);

    static native byte nextByte(byte b);

    static native char nextChar(char c);

    static native short nextShort(short s);

    native String describe(String prefix);

    native void bump(int by);

    static native int sum(int[] a);

    static native byte[] reverse(byte[] a);

    static native String[] split(String s, char at);

    static native Object call(Runnable r, int times);

    static native void fail(String type, String message);

    static native boolean catches(Runnable r);

    static native int version();

    static native Object make(Class<?> c, int n);

    static native long hold(Object o);

    static native Object held(long ref, boolean delete);

    static native int monitor(Object o, boolean enter);

    static native java.nio.ByteBuffer direct(int n);

    static native int depth(int n);

    static native String utf(String s);

    static native boolean same(Object a, Object b, Class<?> c);

    static native int locals(int n);

    native int virtual(int x);

    static native Class<?> find(String name);

    static native Class<?> define(String name, byte[] file);

    static native byte region(byte[] a, int start, int count);

    static native void remember(Class<?> c);

    static native int remembered();

    static Thread reader() {
        return new Thread(() -> System.out.println(remembered()));
    }

    /** By their ids, statics can be used while their class is being initialized. */
    static class Slow {
        static int number;

        static int one() {
            return 1;
        }

        static {
            remember(Slow.class);
            number = 7;
            Thread t = reader();
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    int plus(int x) {
        return count + x;
    }

    static int back(int n) {
        return n == 0 ? 0 : depth(n - 1) + 1;
    }

    static native int registered(int x);

    static void refused(java.util.concurrent.Callable<?> call) {
        try {
            System.out.println(call.call());
        } catch (Throwable t) {
            System.out.println(t.getClass() + " " + t.getMessage());
        }
    }

    static void refusals() {
        String tooLong = "x".repeat(70000);
        byte[] none = {}, three = { 1, 2, 3 };
        for (String name : new String[] { "", "L", "L;", ";", "no/Such", null,
                "no.Such", "[", "[Lno/Such;", tooLong, "L" + tooLong + ";" })
            refused(() -> find(name));
        refused(() -> define(tooLong, none));
        refused(() -> define("NoFile", none));
        refused(() -> region(three, 0, 3));
        refused(() -> region(three, 1, 3));
        refused(() -> region(three, -1, 2));
        refused(() -> region(three, 1, -1));
    }

    static class Sub extends NativeCalls {
        @Override
        int plus(int x) {
            return -x;
        }
    }

    public static void main(String[] args) {
        System.out.println(add(Integer.MAX_VALUE, 1) + " " + mixed(true, (byte) -1, 'c', (short) -2, 3,
            -4L, 5.5f, 6.5, 7, 8L, 9.5f, 10.5, 11.5f, 12.5, 13.5f, 14.5, 15.5f, (byte) 16, "o"));
        System.out.println(half(3) + " " + scale(2.5, 2) + " " + not(true) + not(false) + " "
            + nextByte((byte) 127) + " " + (int) nextChar('\uffff') + " " + nextShort(Short.MAX_VALUE));
        NativeCalls n = new NativeCalls();
        n.bump(10);
        System.out.println(n.describe("p\u00e9") + " " + n.count + " " + shared + " " + n.ratio);
        System.out.println(sum(new int[] { 1, 2, 3 }) + " " + sum(new int[100000]) + " "
            + java.util.Arrays.toString(reverse(new byte[] { 1, 2, 3 })) + " "
            + java.util.Arrays.toString(split("a,b,,c", ',')));
        int[] calls = { 0 };
        System.out.println(call(() -> calls[0]++, 7) + " " + calls[0]);
        String[][] throwing = { { "java/lang/IllegalStateException", "from C" },
            { "java/io/IOException", "checked" }, { "no/such/Exception", "x" } };
        for (String[] t : throwing) {
            try {
                fail(t[0], t[1]);
            } catch (Throwable e) {
                System.out.println(e);
            }
        }
        System.out.println(catches(() -> {
            throw new RuntimeException("seen by C");
        }) + " " + catches(() -> { }));
        try {
            call(() -> {
                throw new IllegalArgumentException("through C");
            }, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[1].isNativeMethod() + " "
                + e.getStackTrace()[1].getMethodName());
        }
        System.out.println(version() >= 0x000a0000);
        System.out.println(((java.util.ArrayList<?>) make(java.util.ArrayList.class, 5)).size());
        try {
            make(java.util.ArrayList.class, -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        long ref = hold(new StringBuilder("held"));
        System.gc();
        System.out.println(held(ref, false) + " " + held(ref, true));
        Object lock = new Object();
        System.out.println(monitor(lock, true) + " " + Thread.holdsLock(lock) + " "
            + monitor(lock, false) + " " + Thread.holdsLock(lock));
        try {
            monitor(lock, false);
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
        java.nio.ByteBuffer b = direct(16);
        System.out.println(b.isDirect() + " " + b.capacity() + " " + b.get(3) + " " + direct(0)
            .capacity());
        System.out.println(depth(50) + " " + utf("a\0\u00e9\u4e2d\ud83d\ude00") + " "
            + same("a", "a", String.class) + same("a", n, Integer.class) + " " + locals(5000));
        System.out.println(n.virtual(3) + " " + new Sub().virtual(3));
        System.out.println(registered(20));
        refusals();
        System.out.println(Slow.number);
        try {
            depth(-1);
        } catch (StackOverflowError e) {
            System.out.println("overflow through C");
        }
    }
}
