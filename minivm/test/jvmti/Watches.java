// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed

import java.lang.reflect.Field;

/** Reads and writes of watched fields, from bytecode and JNI, in code of all ages. */
public class Watches {
    static final int ACCESS = 63, MODIFICATION = 64, STEP = 60;
    static final int NONE = 0, DUPLICATE = 40, NOT_FOUND = 41;

    static native String take();
    static native long events();
    static native int enable(int event, boolean on, Thread thread);
    /** what: 'a' and 'm' set, 'A' and 'M' clear. */
    static native int watch(Class<?> c, String field, char what);
    static native void subject(Object o);
    static native int jniInt(Class<?> c, Object o, String field, boolean write,
                             int value);
    static native Object jniObject(Class<?> c, Object o, String field, boolean write,
                                   Object value);

    static class Base {
        int inherited;
    }

    static class T extends Base {
        boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o;
        int[] a;
        volatile int vi;
        final int fixed;
        static boolean sz; static byte sb; static char sc; static short ss;
        static int si;
        static long sj; static float sf; static double sd; static Object so;
        static volatile long svj;

        T(int n) {
            fixed = n;
        }

        /* aload_0, value, putfield: at 2 + 5k and more with each wide constant. */
        void write() {
            z = true;
            b = -5;
            c = 'x';
            s = -300;
            i = 70000;
            j = 1L << 40;
            f = 1.5f;
            d = -2.25;
            o = this;
            vi = 9;
        }

        static void writeStatic() {
            sz = true;
            sb = -6;
            sc = 'y';
            ss = -301;
            si = 70001;
            sj = 1L << 41;
            sf = 2.5f;
            sd = -3.25;
            so = null;
            svj = 11;
        }

        /* 0 aload_0, 1 getfield, 4 ireturn */
        int read() {
            return i;
        }

        static int readStatic() {
            return si;
        }

        /* 6 iload_2, 7 iload_1, 8 aload_0, 9 getfield, 12 imul, 13 iadd, 14 istore_2,
           15 aload_0, 16 getfield, 19 istore_3 */
        int pending(int n) {
            int x = n + 1000;
            x = x + n * i;
            int y = i;
            return x * 10 + y;
        }

        /* The watch begins while this frame waits: the read behind it is told. */
        int below(int n) {
            i = 4;
            int x = n + set("i", 'a') + i;
            return x;
        }

        volatile boolean stop, running;
        volatile int rounds;

        int spin() {
            int n = 0;
            while (!stop) {
                i = ++n;
                n = i;
                rounds = n;
            }
            return n;
        }
    }

    static class Child extends T {
        Child() {
            super(1);
        }
    }

    static final T t = new T(3);

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
            + (good ? "" : ": " + actual + ", expected " + expected));
        System.out.flush();
    }

    static int set(String field, char what) {
        return watch(T.class, field, what);
    }

    static final String[] FIELDS = {
        "z", "b", "c", "s", "i", "j", "f", "d", "o", "vi"
    };
    static final String[] STATICS = {
        "sz", "sb", "sc", "ss", "si", "sj", "sf", "sd", "so", "svj"
    };

    static void setAll(String[] fields, char what) {
        for (String field : fields)
            if (set(field, what) != NONE)
                throw new AssertionError(field + what);
    }

    static void errors() {
        check("set", set("i", 'a'), NONE);
        check("duplicate", set("i", 'a'), DUPLICATE);
        check("other-kind", set("i", 'm'), NONE);
        check("duplicate-other", set("i", 'm'), DUPLICATE);
        check("clear", set("i", 'A'), NONE);
        check("not-found", set("i", 'A'), NOT_FOUND);
        check("clear-other", set("i", 'M'), NONE);
        check("not-found-other", set("i", 'M'), NOT_FOUND);
        check("static-not-found", set("si", 'M'), NOT_FOUND);
    }

    static void kinds() {
        t.write();                     /* quick before the watch */
        T.writeStatic();
        setAll(FIELDS, 'm');
        t.write();
        check("write", take(), "M:write@2:LWatches$T;z=subject:Z1 "
            + "M:write@8:LWatches$T;b=subject:B-5 M:write@14:LWatches$T;c=subject:C120 "
            + "M:write@21:LWatches$T;s=subject:S-300 "
            + "M:write@27:LWatches$T;i=subject:I70000 "
            + "M:write@34:LWatches$T;j=subject:J1099511627776 "
            + "M:write@40:LWatches$T;f=subject:F1.5 "
            + "M:write@47:LWatches$T;d=subject:D-2.25 "
            + "M:write@52:LWatches$T;o=subject:Lsubject "
            + "M:write@58:LWatches$T;vi=subject:I9");
        check("written", t.z + " " + t.b + t.c + t.s + " " + t.i + " " + t.j + t.f + t.d
              + (t.o == t) + t.vi, "true -5x-300 70000 10995116277761.5-2.25true9");
        check("read-is-no-write", take(), "");
        setAll(FIELDS, 'M');
        t.write();
        check("write-off", take(), "");
        setAll(STATICS, 'm');
        T.writeStatic();
        check("static-write", take(), "M:writeStatic@1:LWatches$T;sz=static:Z1 "
            + "M:writeStatic@6:LWatches$T;sb=static:B-6 "
            + "M:writeStatic@11:LWatches$T;sc=static:C121 "
            + "M:writeStatic@17:LWatches$T;ss=static:S-301 "
            + "M:writeStatic@22:LWatches$T;si=static:I70001 "
            + "M:writeStatic@28:LWatches$T;sj=static:J2199023255552 "
            + "M:writeStatic@33:LWatches$T;sf=static:F2.5 "
            + "M:writeStatic@39:LWatches$T;sd=static:D-3.25 "
            + "M:writeStatic@43:LWatches$T;so=static:Lnull "
            + "M:writeStatic@49:LWatches$T;svj=static:J11");
        setAll(STATICS, 'M');
        T.writeStatic();
        check("static-write-off", take(), "");
        set("a", 'm');
        t.a = new int[1];
        set("a", 'M');
        check("array", take().endsWith(":Lother"), true);
        set("z", 'm');
        new T(5).z = false;
        set("z", 'M');
        check("other-object", take().endsWith("LWatches$T;z=other:Z0"), true);
        set("fixed", 'm');
        check("final", new T(8).fixed, 8);
        check("final-event", take(), "M:<init>@6:LWatches$T;fixed=other:I8");
        set("fixed", 'M');
    }

    static void reads() {
        t.i = 5;
        T.si = 6;
        check("read-before", t.read() + T.readStatic(), 11);
        setAll(FIELDS, 'a');
        setAll(STATICS, 'a');
        check("read-result", t.read() + T.readStatic(), 11);
        check("read", take(), "A:read@1:LWatches$T;i=subject "
              + "A:readStatic@0:LWatches$T;si=static");
        t.write();
        T.writeStatic();
        check("write-is-no-read", take(), "");
        Object all = "" + t.z + t.b + t.c + t.s + t.i + t.j + t.f + t.d + t.vi;
        String log = take();
        check("all-kinds", log.replaceAll("A:reads@[0-9]*:LWatches.T;", ""),
              "z=subject b=subject c=subject s=subject i=subject j=subject f=subject "
              + "d=subject vi=subject");
        setAll(STATICS, 'A');
        setAll(FIELDS, 'A');
        check("read-off", t.read() + T.readStatic(), 140001);
        check("silent", take(), "");
    }

    static void frames() {
        t.i = 7;
        for (int i = 0; i < 10; i++)
            t.pending(i);
        set("i", 'a');
        check("pending-result", t.pending(2), (1002 + 14) * 10 + 7);
        check("pending", take(), "A:pending@9:LWatches$T;i=subject "
              + "A:pending@16:LWatches$T;i=subject");
        set("i", 'A');
        t.below(1);
        set("i", 'A');
        take();
        check("below-result", t.below(1), 5);
        check("below", take(), "A:below@15:LWatches$T;i=subject");
        set("i", 'A');
        Child child = new Child();
        watch(Base.class, "inherited", 'a');
        watch(Child.class, "inherited", 'm');
        child.inherited = 3;
        check("inherited-result", child.inherited, 3);
        watch(Child.class, "inherited", 'A');
        watch(Base.class, "inherited", 'M');
        log("inherited", take(), "LWatches$Base;inherited=other:I3 "
            + "LWatches$Base;inherited=other");
    }

    static void log(String name, String log, String expected) {
        check(name, log.replaceAll("[AM]:[a-z]*@[0-9]*:", ""), expected);
    }

    static void others() throws Exception {
        set("i", 'a');
        set("i", 'm');
        set("si", 'a');
        set("si", 'm');
        jniInt(T.class, t, "i", true, 12);
        check("jni-result", jniInt(T.class, t, "i", false, 0), 12);
        check("jni", take(), "M:jniInt@0:LWatches$T;i=subject:I12 "
              + "A:jniInt@0:LWatches$T;i=subject");
        jniInt(T.class, null, "si", true, 13);
        check("jni-static-result", jniInt(T.class, null, "si", false, 0), 13);
        check("jni-static", take(), "M:jniInt@0:LWatches$T;si=static:I13 "
              + "A:jniInt@0:LWatches$T;si=static");
        Field field = T.class.getDeclaredField("i");
        field.setInt(t, 14);
        check("reflection", field.getInt(t), 14);
        check("reflection-silent", take(), "");
        set("i", 'A');
        set("i", 'M');
        set("si", 'A');
        set("si", 'M');
        set("o", 'a');
        set("o", 'm');
        jniObject(T.class, t, "o", true, t);
        check("jni-object-result", jniObject(T.class, t, "o", false, null) == t, true);
        check("jni-object", take(), "M:jniObject@0:LWatches$T;o=subject:Lsubject "
              + "A:jniObject@0:LWatches$T;o=subject");
        set("o", 'A');
        set("o", 'M');
    }

    /** Returns when no event of the spinning thread's accesses so far is under way. */
    static void passRounds() {
        int rounds = t.rounds;
        while (t.rounds < rounds + 2)
            Thread.onSpinWait();
    }

    /** In a loop that another thread has run for long. */
    static void running() throws Exception {
        int[] result = new int[1];
        Thread thread = new Thread(() -> result[0] = t.spin());
        thread.start();
        while (t.rounds < 1000)
            Thread.onSpinWait();
        set("i", 'm');
        set("i", 'a');
        passRounds();
        take();
        while (events() < 1000)
            Thread.onSpinWait();
        String[] log = take().split(" ");
        boolean good = log.length >= 1000;
        for (int i = 0; i < log.length - 1; i++)
            good &= log[i].startsWith("M:spin@14:LWatches$T;i=subject:I")
                    ? log[i + 1].equals("A:spin@18:LWatches$T;i=subject")
                    : log[i].equals("A:spin@18:LWatches$T;i=subject");
        check("running", good, true);
        set("i", 'M');
        set("i", 'A');
        passRounds();
        take();
        int rounds = t.rounds;
        while (t.rounds < rounds + 1000)
            Thread.onSpinWait();
        check("running-off", take(), "");
        t.stop = true;
        thread.join();
        check("running-result", result[0], t.rounds);
    }

    /** The library's fields; its methods may have bodies other than their bytecode. */
    static void library() {
        StringBuilder text = new StringBuilder("not hashed yet ").append(events());
        for (int i = 0; i < 10; i++)
            new String(text).hashCode();
        String string = new String(text);
        watch(String.class, "hash", 'm');
        int hash = string.hashCode();
        watch(String.class, "hash", 'M');
        log("library", take().replaceAll("M:hashCode@[0-9]*:", ""),
            "Ljava/lang/String;hash=other:I" + hash);
    }

    public static void main(String[] args) throws Exception {
        subject(t);
        enable(ACCESS, true, null);
        enable(MODIFICATION, true, null);
        errors();
        kinds();
        reads();
        frames();
        others();
        running();
        library();
    }
}
