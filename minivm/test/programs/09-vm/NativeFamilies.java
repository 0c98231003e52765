/* SPDX-License-Identifier: MIT */
// Every type in every form of JNI's calls, fields and arrays: the receiver's own
// method, its superclass's, a static one; arguments variadic, in a list, in an array.
public class NativeFamilies {
    static class Base {
        boolean z = true;
        byte b = -1;
        char c = 'c';
        short s = -2;
        int i = 3;
        long j = 1L << 40;
        float f = 1.5f;
        double d = 2.25;
        Object l = "base";
        static boolean sz;
        static byte sb;
        static char sc;
        static short ss;
        static int si;
        static long sj;
        static float sf;
        static double sd;
        static Object sl;

        static String all(boolean z, byte b, char c, short s, int i, long j, float f,
                          double d, Object l) {
            return z + " " + b + " " + c + " " + s + " " + i + " " + j + " " + f + " "
                   + d + " " + l;
        }

        boolean callBoolean(boolean z, byte b, char c, short s, int i, long j, float f,
                            double d, Object l) {
            System.out.println("Base " + all(z, b, c, s, i, j, f, d, l));
            return z;
        }

        byte callByte(byte b) { return b; }
        char callChar(char c) { return c; }
        short callShort(short s) { return s; }
        int callInt(int i) { return i; }
        long callLong(long j) { return j; }
        float callFloat(float f) { return f; }
        double callDouble(double d) { return d; }
        Object callObject(Object l) { return "base's " + l; }
        void callVoid(int i) { System.out.println("Base void " + i); }

        static boolean staticBoolean(boolean z, byte b, char c, short s, int i, long j,
                                     float f, double d, Object l) {
            System.out.println("static " + all(z, b, c, s, i, j, f, d, l));
            return !z;
        }

        static byte staticByte(byte b) { return (byte) (b + 1); }
        static char staticChar(char c) { return (char) (c + 1); }
        static short staticShort(short s) { return (short) (s + 1); }
        static int staticInt(int i) { return i + 1; }
        static long staticLong(long j) { return j + 1; }
        static float staticFloat(float f) { return f + 1; }
        static double staticDouble(double d) { return d + 1; }
        static Object staticObject(Object l) { return "static " + l; }
        static void staticVoid(int i) { System.out.println("static void " + i); }
    }

    static class Derived extends Base {
        final String made;

        Derived(boolean z, byte b, char c, short s, int i, long j, float f, double d,
                Object l) {
            made = all(z, b, c, s, i, j, f, d, l);
        }

        @Override
        boolean callBoolean(boolean z, byte b, char c, short s, int i, long j, float f,
                            double d, Object l) {
            System.out.println("Derived " + all(z, b, c, s, i, j, f, d, l));
            return !z;
        }

        @Override byte callByte(byte b) { return (byte) -b; }
        @Override char callChar(char c) { return Character.toUpperCase(c); }
        @Override short callShort(short s) { return (short) -s; }
        @Override int callInt(int i) { return -i; }
        @Override long callLong(long j) { return -j; }
        @Override float callFloat(float f) { return -f; }
        @Override double callDouble(double d) { return -d; }
        @Override Object callObject(Object l) { return "derived " + l; }
        @Override void callVoid(int i) { System.out.println("Derived void " + i); }
    }

    static native void run(Class<?> base, Class<?> derived);

    static void print(String text) {
        System.out.println(text);
    }

    public static void main(String[] args) {
        System.loadLibrary("NativeFamilies");
        run(Base.class, Derived.class);
        System.out.println(Base.all(Base.sz, Base.sb, Base.sc, Base.ss, Base.si,
                                    Base.sj, Base.sf, Base.sd, Base.sl));
    }
}
