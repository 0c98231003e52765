// SPDX-License-Identifier: MIT
// departs: with-tags-repeated each object once (Get Objects With Tags)
// departs: with-tags-zero is not permitted (Get Objects With Tags)
// departs: instances10-bad ILLEGAL_ARGUMENT (Iterate Over Instances Of Class)
// departs: root-monitor is never reported (Heap Reference Enumeration)
// vm: --add-opens java.base/java.lang=ALL-UNNAMED -Xmx256m
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

public class Heap {
    static final int REFERENCES = 1, FIELDS = 2, ARRAYS = 4, STRINGS = 8, OBJECTS = 16;
    static final int TAGGED = 4, UNTAGGED = 8, CLASS_TAGGED = 16, CLASS_UNTAGGED = 32;
    static final int NULL_POINTER = 100, ILLEGAL_ARGUMENT = 103, INVALID_OBJECT = 20;

    static native int setTag(int env, Object o, long tag);
    static native long getTag(int env, Object o);
    static native String[] withTags(int env, long[] tags, boolean objects,
        boolean found);
    static native void collect();
    static native void keepGlobal(Object o);
    static native void set(long prune, long paint, long paintReferrer, long paintClass,
                           int abortAfter, boolean all, boolean quiet);
    static native String[] follow(int env, int which, int filter, Class<?> c,
        Object from);
    static native String[] iterate(int env, int which, int filter, Class<?> c);
    static native String[] roots(Object held);
    static native Object upcall(Object held, Supplier<Object> supplier);
    static native int safeCalls();
    static native int unsafeCalls();
    static native String[] reachable10(Object from);
    static native String[] roots10(Object held, boolean edges);
    static native String[] instances10(Class<?> c, int filter);
    static native void reportFree(boolean on);
    static native int freed(int from, int to, int times);
    static native int freedElsewhere();
    static native int sample(Class<?> c, int interval, Thread thread);
    static native int samples(int which);
    static native Object allocate(Class<?> c);
    static native int dispose(int env);

    // The example of the specification, with references added.
    interface I0 { int p = 0; Object ps = new Object(); }
    interface I1 extends I0 { int x = 1; }
    interface I2 extends I0 { int y = 2; }
    static class C1 implements I1 {
        public static int a = 3;
        private int b = 4;
        Object inherited;
        static Object shared;
    }
    static class C2 extends C1 implements I2 {
        static int q = 5;
        final int r = 6;
        Object link;
        Object[] more;
    }
    static class Values {
        boolean z = true; byte b = -2; char c = 0xfffe; short s = -3; int i = 1 << 30;
        long j = -1L << 40; float f = 1.5f; double d = -2.25;
        static boolean sz = true; static byte sb = 2; static char sc = 'x';
        static short ss = 3; static int si = -5; static long sj = 1L << 40;
        static float sf = -0.5f; static double sd = 1e10;
    }
    static class Constants {
        static String text() { return "a constant of Heap"; }
        static Class<?> type() { return Values.class; }
    }
    static class Counted { }
    static class CountedSub extends Counted { }
    static class Sampled { long a, b, c; }

    static void check(String name, Object actual, Object expected) {
        boolean good = actual == null ? expected == null : actual.equals(expected);
        System.out.println(good ? "ok " + name
                           : "not ok " + name + ": " + actual
                             + ", expected " + expected);
    }

    static Set<String> only(String[] lines, String start) {
        Set<String> set = new TreeSet<>();
        for (String line : lines)
            if (line.startsWith(start))
                set.add(line);
        return set;
    }

    /** The lines in order, each as often as it came. */
    static List<String> sorted(String... lines) {
        Arrays.sort(lines);
        return Arrays.asList(lines);
    }

    static void has(String name, String[] lines, String... wanted) {
        Set<String> missing = new TreeSet<>(Arrays.asList(wanted));
        missing.removeAll(Arrays.asList(lines));
        if (!missing.isEmpty())
            for (String line : lines)
                System.out.println("# " + line);
        check(name, missing, Set.of());
    }

    static void tags() {
        Object o = new Object(), other = new String("x");
        check("tag-none", getTag(0, o), 0L);
        check("tag-set", setTag(0, o, Long.MIN_VALUE), 0);
        check("tag-get", getTag(0, o), Long.MIN_VALUE);
        check("tag-other-object", getTag(0, other), 0L);
        check("tag-other-env", getTag(1, o), 0L);
        setTag(1, o, 17);
        check("tag-own-env", getTag(0, o), Long.MIN_VALUE);
        setTag(0, o, 5);
        check("tag-replaced", getTag(0, o), 5L);
        collect();
        check("tag-after-collection", getTag(0, o), 5L);
        setTag(0, o, 0);
        check("tag-removed", getTag(0, o), 0L);
        check("tag-second-env", getTag(1, o), 17L);
        check("tag-null-object", setTag(0, null, 1), INVALID_OBJECT);
        check("tag-get-null", getTag(0, null), (long)-INVALID_OBJECT);

        Object[] many = new Object[20000];
        for (int i = 0; i < many.length; i++) {
            many[i] = i % 3 == 0 ? new int[i % 50]
                : i % 3 == 1 ? new Object() : "s" + i;
            setTag(0, many[i], 1000 + i);
        }
        collect();
        int wrong = 0;
        for (int i = 0; i < many.length; i++)
            wrong += getTag(0, many[i]) == 1000 + i ? 0 : 1;
        check("tags-many", wrong, 0);

        setTag(0, many[3], 777);
        setTag(0, many[4], 777);
        int h3 = System.identityHashCode(many[3]),
            h4 = System.identityHashCode(many[4]);
        int h9 = System.identityHashCode(many[9]);
        check("with-tags", sorted(withTags(0, new long[] { 777, 1009, 999999 }, true,
            true)),
              sorted("error 0", "count 3", "777 " + h3, "777 " + h4, "1009 " + h9));
        check("with-tags-repeated", sorted(withTags(0, new long[] { 777, 777 }, true,
            true)),
              sorted("error 0", "count 2", "777 " + h3, "777 " + h4));
        check("with-tags-counted", sorted(withTags(0, new long[] { 777 }, false,
            false)),
              sorted("error 0", "count 2", "-1 -1", "-1 -1"));
        check("with-tags-no-objects", sorted(withTags(0, new long[] { 1009 }, false,
            true)),
              sorted("error 0", "count 1", "1009 -1"));
        check("with-tags-no-tags", sorted(withTags(0, new long[] { 1009 }, true,
            false)),
              sorted("error 0", "count 1", "-1 " + h9));
        check("with-tags-none", sorted(withTags(0, new long[] { 5555555 }, true, true)),
              sorted("error 0", "count 0"));
        check("with-tags-empty", sorted(withTags(0, new long[0], true, true)),
              sorted("error 0", "count 0"));
        check("with-tags-other-env", sorted(withTags(1, new long[] { 777 }, true,
            true)),
              sorted("error 0", "count 0"));
        check("with-tags-zero", withTags(0, new long[] { 1, 0 }, true, true)[0],
              "error " + ILLEGAL_ARGUMENT);
        long[] all = new long[20001];
        for (int i = 0; i < all.length; i++)
            all[i] = 1000 + i;
        check("with-tags-many", withTags(0, all, true, true)[1], "count 19998");
        for (Object each : many)
            setTag(0, each, 0);
    }

    /** Tags of the graph's objects. */
    static final long ONE = 1, TWO = 2, SELF = 3, ARRAY = 4, LEAF = 5, SHARED = 6,
        PS = 7, CLASS_1 = 11, CLASS_2 = 12, IFACE_0 = 13, IFACE_1 = 14, IFACE_2 = 15,
        CLASS = 16,
        OBJECT_ARRAY = 17, LOADER = 18, DOMAIN = 19, SIGNERS = 20, OBJECT = 21;

    static C2 two, self;

    /** two: .inherited = one, .link = array; array = { null, leaf, two, leaf }. */
    static void graph() throws Exception {
        C1 one = new C1();
        two = new C2();
        self = new C2();
        Object leaf = new Object();
        Object[] array = { null, leaf, two, leaf };
        Object[] signers = { "me" };
        C1.shared = new Object();
        one.inherited = leaf;
        two.inherited = one;
        two.link = array;
        self.link = self;
        two.more = new Object[] { self };
        Method setSigners = Class.class.getDeclaredMethod("setSigners", Object[].class);
        setSigners.setAccessible(true);
        setSigners.invoke(C1.class, (Object)signers);
        Object[] tagged = { null, one, two, self, array, leaf, C1.shared, I0.ps, null,
            null,
            null, C1.class, C2.class, I0.class, I1.class, I2.class, Class.class,
            Object[].class, C1.class.getClassLoader(), C1.class.getProtectionDomain(),
            signers, Object.class };
        for (int i = 0; i < tagged.length; i++)
            if (tagged[i] != null)
                setTag(0, tagged[i], i);

        String[] expected = {
            "CLASS -1 2 > 12 classes 12 > 16 length -1",
            "FIELD 6 2 > 1 classes 12 > 11 length -1",
            "FIELD 10 2 > 4 classes 12 > 17 length 4",
            "ELEMENT 1 4 > 5 classes 17 > 21 length -1",
            "ELEMENT 2 4 > 2 classes 17 > 12 length -1",
            "ELEMENT 3 4 > 5 classes 17 > 21 length -1",
            "CLASS -1 4 > 17 classes 17 > 16 length -1",
            "CLASS -1 1 > 11 classes 11 > 16 length -1",
            "FIELD 5 1 > 5 classes 11 > 21 length -1",
            "CLASS -1 5 > 21 classes 21 > 16 length -1",
            "CLASS -1 3 > 12 classes 12 > 16 length -1",
            "FIELD 10 3 > 3 classes 12 > 12 length -1 self",
            "SUPERCLASS -1 12 > 11 classes 16 > 16 length -1",
            "INTERFACE -1 12 > 15 classes 16 > 16 length -1",
            "INTERFACE -1 11 > 14 classes 16 > 16 length -1",
            "INTERFACE -1 14 > 13 classes 16 > 16 length -1",
            "INTERFACE -1 15 > 13 classes 16 > 16 length -1",
            "STATIC 6 11 > 6 classes 16 > 21 length -1",
            "STATIC 1 13 > 7 classes 16 > 21 length -1",
            "LOADER -1 11 > 18 classes 16 > 0 length -1",
            "DOMAIN -1 11 > 19 classes 16 > 0 length -1",
            "SIGNERS -1 11 > 20 classes 16 > 17 length 1",
        };
        String[] lines = follow(0, REFERENCES, 0, null, two);
        has("graph-edges", lines, expected);
        // Nothing else leaves these objects, and nothing twice.
        List<String> ours = new ArrayList<>();
        for (String line : lines) {
            String[] part = line.split(" ");
            long from = Long.parseLong(part[2]);
            if (!part[0].equals("CONSTANT") && (from <= SHARED || from == CLASS_1))
                ours.add(line);
        }
        List<String> known = new ArrayList<>();
        for (String line : expected) {
            long from = Long.parseLong(line.split(" ")[2]);
            if (from <= SHARED || from == CLASS_1)
                known.add(line);
        }
        known.add("CLASS -1 6 > 21 classes 21 > 16 length -1");
        check("graph-exact", sorted(ours.toArray(new String[0])),
              sorted(known.toArray(new String[0])));
        check("graph-not-the-superclass-object", only(lines, "SUPERCLASS -1 11"),
            Set.of());

        set(ARRAY, 0, 0, 0, -1, false, false);
        lines = follow(0, REFERENCES, 0, null, two);
        has("prune-reported", lines, "FIELD 10 2 > 4 classes 12 > 17 length 4");
        check("prune-not-followed", only(lines, "ELEMENT 1 4"), Set.of());
        has("prune-others", lines, "FIELD 5 1 > 5 classes 11 > 21 length -1");
        set(0, 0, 0, 0, 3, false, true);
        check("abort-follow", follow(0, REFERENCES, 0, null, two)[0], "called 3");

        // Filters concern what is reported only.
        lines = follow(0, REFERENCES, 0, C2.class, two);
        check("klass-follow", sorted(lines),
              sorted("ELEMENT 2 4 > 2 classes 17 > 12 length -1",
                     "FIELD 10 3 > 3 classes 12 > 12 length -1 self"));
        lines = follow(0, REFERENCES, 0, I1.class, two);
        check("klass-interface", sorted(lines), List.of());
        lines = follow(0, REFERENCES, TAGGED, null, two);
        check("filter-tagged", sorted(lines), List.of());
        lines = follow(0, REFERENCES, UNTAGGED | CLASS_UNTAGGED, null, two);
        check("filter-both", only(lines, "LOADER"), Set.of());
        has("filter-both-rest", lines, "FIELD 5 1 > 5 classes 11 > 21 length -1");
        lines = follow(0, REFERENCES, CLASS_TAGGED, null, two);
        check("filter-class-tagged", only(lines, "FIELD 5"), Set.of());
        has("filter-class-tagged-rest", lines,
            "LOADER -1 11 > 18 classes 16 > 0 length -1");

        // Tags given in callbacks.
        C1 fresh = new C1();
        two.more = new Object[] { fresh, fresh };
        set(0, 4711, 0, CLASS_1, -1, false, false);
        follow(0, REFERENCES, 0, null, two);
        check("painted", getTag(0, fresh), 4711L);
        check("painted-elsewhere", getTag(0, two.more), 0L);
        set(4711, 0, 88, 0, -1, false, false);
        follow(0, REFERENCES, 0, null, two);
        check("painted-referrer", getTag(0, two.more), 88L);
        check("painted-not-the-referree", getTag(0, fresh), 4711L);
        C2 alone = new C2();
        alone.link = alone;
        set(0, 99, 0, CLASS_2, -1, false, false);
        follow(0, REFERENCES, 0, null, alone);
        check("painted-self", getTag(0, alone), 99L);

        values(0);
        values(1);
        reachable10Checks();
        for (Object o : tagged)
            if (o != null)
                setTag(0, o, 0);
        setTag(0, fresh, 0);
        setTag(0, two.more, 0);
        setTag(0, alone, 0);
    }

    static String hex(byte... bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes)
            text.append(String.format("%02x", b));
        return text.toString();
    }

    /** Values, by FollowReferences or by IterateThroughHeap. */
    static void values(int how) {
        String way = how == 0 ? "follow-" : "iterate-";
        Values v = new Values();
        String latin = new String("h\u00e9"), wide = new String("\u6f22\ud83d\ude00"),
            empty = new String("");
        Object[] arrays = { new boolean[] { true, false }, new byte[] { -1, 2 },
            new char[] { 'a', 0x1234 }, new short[] { -2 }, new int[] { 1, -1 },
            new long[] { 1L << 40 }, new float[] { 1 }, new double[] { 1 },
            new int[0] };
        Object[] holder = { v, latin, wide, empty, arrays, Values.class, two, C1.class,
            C2.class, I0.class, I1.class };
        setTag(0, v, 201);
        setTag(0, latin, 202);
        setTag(0, wide, 203);
        setTag(0, empty, 204);
        setTag(0, Values.class, 205);
        setTag(0, String.class, 206);
        for (int i = 0; i < arrays.length; i++)
            setTag(0, arrays[i], 210 + i);
        int which = FIELDS | ARRAYS | STRINGS;
        Set<String> lines = new TreeSet<>(Arrays.asList(
            how == 0 ? follow(0, which, 0, null, holder) : iterate(0, which, 0, null)));
        Set<String> strings = new TreeSet<>(lines), fields = new TreeSet<>(lines);
        lines.removeIf(line -> !line.startsWith("array"));
        check(way + "arrays", lines, Set.of(
            "array 210 class 0 Z 2 0100", "array 211 class 0 B 2 ff02",
            "array 212 class 0 C 2 61003412", "array 213 class 0 S 1 feff",
            "array 214 class 0 I 2 01000000ffffffff",
            "array 215 class 0 J 1 0000000000010000", "array 216 class 0 F 1 0000803f",
            "array 217 class 0 D 1 000000000000f03f", "array 218 class 0 I 0 "));
        strings.removeIf(line -> !line.startsWith("string"));
        check(way + "strings", strings, Set.of(
            "string 202 class 206 2 006800e9",
            "string 203 class 206 3 6f22d83dde00", "string 204 class 206 0 "));
        String ours = "value .* of (201|205|2|11|12|13|14) .*";
        fields.removeIf(line -> !line.matches(ours));
        check(way + "fields", fields, Set.of(
            "value FIELD 0 of 201 class 205: Z true",
            "value FIELD 1 of 201 class 205: B -2",
            "value FIELD 2 of 201 class 205: C 65534",
            "value FIELD 3 of 201 class 205: S -3",
            "value FIELD 4 of 201 class 205: I 1073741824",
            "value FIELD 5 of 201 class 205: J -1099511627776",
            "value FIELD 6 of 201 class 205: F 1.5",
            "value FIELD 7 of 201 class 205: D -2.25",
            "value STATIC 8 of 205 class 16: Z true",
            "value STATIC 9 of 205 class 16: B 2",
            "value STATIC 10 of 205 class 16: C 120",
            "value STATIC 11 of 205 class 16: S 3",
            "value STATIC 12 of 205 class 16: I -5",
            "value STATIC 13 of 205 class 16: J 1099511627776",
            "value STATIC 14 of 205 class 16: F -0.5",
            "value STATIC 15 of 205 class 16: D 1e+10",
            "value FIELD 5 of 2 class 12: I 4", "value FIELD 9 of 2 class 12: I 6",
            "value STATIC 3 of 11 class 16: I 3", "value STATIC 8 of 12 class 16: I 5",
            "value STATIC 0 of 13 class 16: I 0",
            "value STATIC 2 of 14 class 16: I 1"));
        Class<?> ints = int[].class;
        lines = new TreeSet<>(Arrays.asList(how == 0 ? follow(0, ARRAYS, 0, ints,
            holder)
                                            : iterate(0, ARRAYS, 0, ints)));
        check(way + "klass-arrays", lines,
            Set.of("array 214 class 0 I 2 01000000ffffffff",
                                                  "array 218 class 0 I 0 "));
        lines = new TreeSet<>(Arrays.asList(
            how == 0 ? follow(0, which, TAGGED, null, holder)
            : iterate(0, which, TAGGED, null)));
        check(way + "values-untagged", lines, Set.of());
        set(0, 0, 0, 0, 2, false, true);
        check(way + "values-abort", (how == 0 ? follow(0, which, 0, null, holder)
                                     : iterate(0, which, 0, null))[0], "called 2");
        for (Object o : new Object[] { v, latin, wide, empty, Values.class,
            String.class })
            setTag(0, o, 0);
        for (Object o : arrays)
            setTag(0, o, 0);
    }

    static void constants() {
        String text = Constants.text();
        Class<?> type = Constants.type();
        setTag(0, text, 301);
        setTag(0, type, 302);
        setTag(0, Constants.class, 303);
        int found = 0;
        Set<String> indices = new HashSet<>();
        for (String line : follow(0, REFERENCES, 0, null, Constants.class))
            if (line.matches("CONSTANT [1-9][0-9]* 303 > 30[12] .*")) {
                found++;
                indices.add(line.split(" ")[1]);
            }
        check("constants", found, 2);
        check("constants-indices", indices.size(), 2);
        for (Object o : new Object[] { text, type, Constants.class })
            setTag(0, o, 0);
    }

    /** Every combination of filters, by IterateThroughHeap. */
    static void filters() {
        Counted[] keep = new Counted[100];
        for (int i = 0; i < keep.length; i++) {
            keep[i] = i < 70 ? new Counted() : new CountedSub();
            if (i % 10 < 3)
                setTag(0, keep[i], 400 + i);
        }
        setTag(0, CountedSub.class, 399);
        for (int filter = 0; filter < 64; filter += 4) {
            boolean tagged = (filter & TAGGED) == 0,
                untagged = (filter & UNTAGGED) == 0;
            boolean classTagged = (filter & CLASS_TAGGED) == 0;
            boolean classUntagged = (filter & CLASS_UNTAGGED) == 0;
            int expected = classUntagged ? (tagged ? 21 : 0) + (untagged ? 49 : 0) : 0;
            int sub = classTagged ? (tagged ? 9 : 0) + (untagged ? 21 : 0) : 0;
            set(0, 0, 0, 0, -1, true, false);
            check("filter-" + filter, iterate(0, OBJECTS, filter, Counted.class).length,
                  expected);
            set(0, 0, 0, 0, -1, true, false);
            check("filter-sub-" + filter,
                  iterate(0, OBJECTS, filter, CountedSub.class).length, sub);
        }
        check("iterate-line", sorted(iterate(0, OBJECTS, 0, CountedSub.class)).get(0),
              "object 470 class 399 length -1");
        set(0, 0, 0, 0, 5, false, true);
        check("iterate-abort", iterate(0, OBJECTS, 0, null)[0], "called 5");
        set(0, 0, 0, 0, -1, true, false);
        check("iterate-other-env", iterate(1, OBJECTS, TAGGED, CountedSub.class).length,
            30);
        set(0, 398, 0, 399, -1, true, false);
        iterate(0, OBJECTS, 0, CountedSub.class);
        check("iterate-paints", withTags(0, new long[] { 398 }, false, false)[1],
            "count 21");
        Object array = new Object[7];
        setTag(0, array, 397);
        check("iterate-array", sorted(iterate(0, OBJECTS, UNTAGGED, Object[].class)),
              List.of("object 397 class 0 length 7"));
        check("iterate-interface", iterate(0, OBJECTS, 0, I0.class).length, 0);

        // 1.0: subclasses are included.
        set(0, 0, 0, 0, -1, true, false);
        check("instances10", instances10(Counted.class, 3).length, 100);
        set(0, 0, 0, 0, -1, true, false);
        check("instances10-tagged", instances10(Counted.class, 1).length, 51);
        set(0, 0, 0, 0, -1, true, false);
        check("instances10-untagged", instances10(Counted.class, 2).length, 49);
        set(0, 0, 0, 0, -1, true, false);
        check("instances10-sub", instances10(CountedSub.class, 3).length, 30);
        check("instances10-bad", instances10(Counted.class, 4)[0], "error 103");
        check("heap10-tagged", only(instances10(null, 1), "object 470").size(), 1);
        check("heap10-untagged", only(instances10(null, 2), "object").size(), 0);
        set(0, 0, 0, 0, 4, false, true);
        check("heap10-abort", instances10(null, 3)[0], "called 4");
        for (Object o : keep)
            setTag(0, o, 0);
        setTag(0, CountedSub.class, 0);
        setTag(0, array, 0);
    }

    static void reachable10Checks() {
        String[] lines = reachable10(two);
        has("reachable10", lines, "CLASS -1 2 > 12 class 16", "FIELD 6 2 > 1 class 11",
            "FIELD 10 2 > 4 class 17", "ELEMENT 1 4 > 5 class 21",
            "ELEMENT 2 4 > 2 class 12",
            "ELEMENT 3 4 > 5 class 21", "CLASS -1 12 > 11 class 16",
            "INTERFACE -1 12 > 15 class 16", "STATIC 6 11 > 6 class 21",
            "LOADER -1 11 > 18 class 0", "DOMAIN -1 11 > 19 class 0",
            "SIGNERS -1 11 > 20 class 17");
        set(ARRAY, 0, 0, 0, -1, false, false);
        lines = reachable10(two);
        check("reachable10-ignored", only(lines, "ELEMENT 1 4"), Set.of());
        has("reachable10-rest", lines, "FIELD 5 1 > 5 class 21");
        set(0, 0, 0, 0, 2, false, true);
        check("reachable10-abort", only(reachable10(two), "called"),
            Set.of("called 2"));
    }

    static final Object inStatic = new Object();

    /** Locals in known slots: 0, 1 and 2 wide, 3; slot 4 is a number. */
    static String[] frame(Object first, long wide, Object second, int number) {
        String[] lines = roots(inStatic);
        if (first == null || second == null || wide + number == 0)
            throw new AssertionError();
        return lines;
    }

    /** The object is still in the slot, but in no variable that can be used. */
    static String[] dead(Object object) {
        {
            Object gone = object;
            object = null;
            if (gone.hashCode() == 1)
                throw new AssertionError();
        }
        int reused = 7;
        String[] lines = roots(inStatic);
        return reused == 7 ? lines : null;
    }

    static void rootChecks() throws Exception {
        Thread thread = Thread.currentThread();
        Object first = new Object(), second = new Object(), locked = new Object();
        Object monitor = new Object(), kept = new Object();
        setTag(0, thread, 500);
        setTag(0, first, 501);
        setTag(0, second, 502);
        setTag(0, inStatic, 503);
        setTag(0, locked, 504);
        setTag(0, kept, 505);
        setTag(0, String.class, 506);
        setTag(0, Heap.class, 507);
        keepGlobal(kept);
        String where = " thread 500 id " + thread.getId() + " depth ";
        String[] lines;
        synchronized (locked) {
            locked.wait(1);
            lines = frame(first, -1, second, 3);
        }
        has("root-kinds", lines, "THREAD 500", "GLOBAL 505", "SYSTEM_CLASS 506");
        check("root-monitor", only(lines, "MONITOR 504"), Set.of("MONITOR 504"));
        check("root-not-system", only(lines, "SYSTEM_CLASS 507"), Set.of());
        has("root-stack", lines,
            "STACK 501" + where + "1 frame slot 0 location right",
            "STACK 502" + where + "1 frame slot 3 location right");
        check("root-stack-exact", only(lines, "STACK 501" + where + "1").size()
              + only(lines, "STACK 502" + where + "1").size(), 2);
        has("root-native", lines, "JNI_LOCAL 503" + where + "0 roots");
        check("root-dead", only(dead(new Object[0]), "STACK 50").stream()
              .filter(line -> line.contains(" dead ")).count(), 0L);
        String[] below = (String[])upcall(second, () -> frame(first, 1, first, 1));
        String upcall = null;
        for (String line : below)
            if (line.startsWith("JNI_LOCAL 502") && line.endsWith(" upcall"))
                upcall = line;
        // roots, frame, lambda, get of the proxy class, upcall
        check("root-native-below", upcall, "JNI_LOCAL 502" + where + "4 upcall");

        String[] old = roots10(inStatic, false);
        has("roots10", old, "THREAD 500", "GLOBAL 505", "SYSTEM_CLASS 506",
            "JNI_LOCAL 503 thread 500 depth 0 roots10 slot -1",
            "STACK 501 thread 500 depth 1 rootChecks slot 1");
        check("roots10-no-edges", only(old, "STATIC"), Set.of());
        check("roots10-edges", only(roots10(inStatic, true), "STATIC").stream()
              .filter(line -> line.contains("507 > 503")).count(), 1L);
        for (Object o : new Object[] { thread, first, second, inStatic, locked, kept,
                                       String.class, Heap.class })
            setTag(0, o, 0);
    }

    static Object[] survivors;

    static void makeGarbage(int from, int to, boolean keep) {
        survivors = new Object[to - from];
        for (int i = from; i < to; i++) {
            Object o = i % 2 == 0 ? new Object() : new byte[i % 3000];
            setTag(0, o, i);
            setTag(1, o, i + 50000);
            survivors[i - from] = o;
        }
        if (!keep)
            survivors = null;
    }

    static void frees() throws Exception {
        reportFree(true);
        makeGarbage(1, 5001, false);
        makeGarbage(6000, 7000, true);
        for (int i = 0; i < 100 && freed(1, 5001, 1) != 5000; i++) {
            collect();
            Thread.sleep(i < 10 ? 1 : 50);
        }
        check("free-all", freed(1, 5001, 1), 5000);
        check("free-survivors", freed(6000, 7000, 0), 1000);
        check("free-own-environment", freedElsewhere(), 0);
        int tagged = 0;
        for (int i = 0; i < survivors.length; i++)
            tagged += getTag(0, survivors[i]) == 6000 + i ? 1 : 0;
        check("free-survivors-tags", tagged, 1000);
        check("free-forgotten", withTags(0, new long[] { 1, 2, 3, 4998 }, true,
            true)[1],
              "count 0");
        setTag(0, survivors[0], 0);
        reportFree(false);
        survivors = null;
        for (int i = 0; i < 5; i++)
            collect();
        check("free-off", freed(6000, 7000, 0), 1000);
    }

    static Object[] sink = new Object[1000];

    static void allocateSamples(int count) {
        for (int i = 0; i < count; i++)
            sink[i % 1000] = new Sampled();
    }

    static void sampling() throws Exception {
        check("sample-negative", sample(Sampled.class, -1, null), ILLEGAL_ARGUMENT);
        sample(null, 0, null);
        check("sample-on", sample(Sampled.class, 0, null), 0);
        for (int i = 0; i < 100000 && samples(0) == 0; i++)
            allocateSamples(100);          // the interval may take its time
        int before = samples(0);
        allocateSamples(1000);
        check("sample-every", samples(0) - before, 1000);
        before = samples(0);
        allocate(Sampled.class);
        check("sample-jni", samples(0) - before, 1);
        check("sample-values", samples(1), 0);
        int arrays = samples(2);
        sink[0] = new int[3][4];
        check("sample-arrays", samples(2) - arrays >= 4, true);
        check("sample-off", sample(null, 0, null), 0);
        allocateSamples(1000);
        check("sample-off-count", samples(2), 0);

        check("sample-mean", sample(byte[].class, 100000, null), 0);
        for (int i = 0; i < 100000; i++)
            sink[i % 1000] = new byte[1000];
        check("sample-mean-count", samples(0) > 700 && samples(0) < 1300, true);
        check("sample-mean-values", samples(1), 0);
        sample(null, 0, null);

        Thread other = new Thread(() -> allocateSamples(1000));
        check("sample-thread", sample(Sampled.class, 0, Thread.currentThread()), 0);
        other.start();
        other.join();
        check("sample-other-thread", samples(0), 0);
        for (int i = 0; i < 1000 && samples(0) == 0; i++)
            allocateSamples(100);
        check("sample-own-thread", samples(0) > 0, true);
        sample(null, 0, Thread.currentThread());
    }

    /** How often a tag was not what its thread had made it. */
    static int tagOften(int thread) {
        Object[] mine = new Object[1000];
        int wrong = 0;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < mine.length; i++) {
                mine[i] = i % 2 == 0 ? new Object() : new long[i % 100];
                wrong += setTag(1, mine[i], thread * 100000 + i) == 0 ? 0 : 1;
            }
            for (int i = 0; i < mine.length; i++)
                wrong += getTag(1, mine[i]) == thread * 100000 + i ? 0 : 1;
        }
        return wrong;
    }

    /** Threads that tag while others walk and collect. */
    static void threads() throws Exception {
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int number = i + 1;
            threads[i] = new Thread(() -> wrong.addAndGet(tagOften(number)));
            threads[i].start();
        }
        for (int i = 0; i < 5; i++) {
            collect();
            set(0, 0, 0, 0, -1, false, true);
            follow(1, REFERENCES, 0, null, null);
            set(0, 0, 0, 0, -1, false, true);
            iterate(1, OBJECTS | FIELDS | ARRAYS | STRINGS, 0, null);
            withTags(1, new long[] { 100001, 200002 }, true, true);
        }
        for (Thread t : threads)
            t.join();
        check("threads", wrong.get(), 0);
    }

    static volatile int tagged;

    /** What a thread is told that tags until its environment is gone. */
    static int tagUntilGone() {
        int error = 0;
        // The capabilities may go first.
        for (; error == 0 || error == 99; tagged++)
            error = setTag(2, new Object(), tagged + 1);
        return error;
    }

    static void disposal(boolean whileInUse) throws Exception {
        Object o = new Object();
        AtomicInteger last = new AtomicInteger(116);
        setTag(1, o, 5);
        setTag(2, o, 6);
        Thread other = new Thread(() -> last.set(tagUntilGone()));
        if (whileInUse) {
            last.set(0);
            other.start();
            while (tagged < 100)
                Thread.yield();
        }
        check("dispose", dispose(2), 0);
        other.join();
        check("dispose-while-in-use", last.get(), 116);
        check("dispose-others", getTag(1, o), 5L);
        check("dispose-dead", setTag(2, o, 7), 116);
        collect();
        check("dispose-collected", getTag(1, o), 5L);
    }

    public static void main(String[] args) throws Exception {
        tags();
        graph();
        constants();
        filters();
        rootChecks();
        check("callback-safe", safeCalls(), 0);
        // The JDK's own VM would stop for good, and may crash in the last one.
        boolean refuses = System.getProperty("java.vm.name").contains("minivm");
        check("callback-unsafe", refuses ? unsafeCalls() : 6, 6);
        frees();
        sampling();
        threads();
        disposal(refuses);
    }
}
