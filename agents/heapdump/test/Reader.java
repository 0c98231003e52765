// SPDX-License-Identifier: MIT
import java.io.File;
import java.io.PrintStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.graalvm.visualvm.lib.jfluid.heap.FieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.JavaFrameGCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.JniLocalGCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectArrayInstance;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectFieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.PrimitiveArrayInstance;
import org.graalvm.visualvm.lib.jfluid.heap.ThreadObjectGCRoot;

/**
 * Reads dumps with VisualVM's library and says "ok NAME" or "not ok NAME".
 * Reader known DUMP [monitors]: is it what Known built, with roots for its monitors?
 * Reader busy DUMP: is it what Busy does?  Reader compare DUMP OTHER: are both of the
 * same heap?
 */
public class Reader {
    static Heap heap;

    static void check(String name, Object got, Object want) {
        boolean same = String.valueOf(got).equals(String.valueOf(want));
        System.out.println((same ? "ok " : "not ok ") + name);
        if (!same)
            System.out.println("# got " + got + "\n# want " + want);
    }

    static JavaClass type(String name) {
        return heap.getJavaClassByName(name);
    }

    static Object known(String field) {
        return type("Known").getValueOfStaticField(field);
    }

    static String string(Instance text) {
        List<String> values =
            ((PrimitiveArrayInstance) text.getValueOfField("value")).getValues();
        byte[] bytes = new byte[values.size()];
        for (int i = 0; i < bytes.length; i++)
            bytes[i] = Byte.parseByte(values.get(i));
        return new String(bytes, text.getValueOfField("coder").toString().equals("1")
            ? ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? StandardCharsets.UTF_16LE
                : StandardCharsets.UTF_16BE
            : StandardCharsets.ISO_8859_1);
    }

    /** A value as text: strings by their characters, other objects by class. */
    static String text(FieldValue value) {
        return value instanceof ObjectFieldValue
            ? text(((ObjectFieldValue) value).getInstance()) : value.getValue();
    }

    static String text(Instance of) {
        if (of == null)
            return "null";
        String name = of.getJavaClass().getName();
        return name.equals("java.lang.String") ? "\"" + string(of) + "\"" : name;
    }

    static String fields(Instance of) {
        return of.getFieldValues().stream()
            .map(v -> v.getField().getDeclaringClass().getName() + "."
                 + v.getField().getName() + "=" + text(v))
            .collect(Collectors.joining(" ")).replace("Known$", "");
    }

    static String statics(String name) {
        return type(name).getStaticFieldValues().stream()
            .filter(v -> !v.getField().getName().startsWith("<"))
            .map(v -> v.getField().getName() + "=" + text(v)).sorted()
            .collect(Collectors.joining(" ")).replace("Known$", "");
    }

    static String values(Object array) {
        return String.join(" ", ((PrimitiveArrayInstance) array).getValues());
    }

    static String elements(Object array) {
        return ((ObjectArrayInstance) array).getValues().stream().map(Reader::text)
            .collect(Collectors.joining(" ")).replace("Known$", "");
    }

    // -- what Known built --

    static void checkFields() {
        Instance leaf = (Instance) known("leaf");
        check("fields of an instance and of its superclasses, in order", fields(leaf),
            "Leaf.ints=int[] Leaf.shadowed=true Leaf.text=\"gr\u00fc\u00dfe \u20ac\" "
            + "Derived.z=true Derived.b=-3 Derived.c=\u00fc Derived.s=-1234 "
            + "Derived.shadowed=2 Derived.f=1.5 Derived.d=" + Math.PI
            + " Derived.self=Leaf Derived.nothing=null "
            + "Base.shadowed=1 Base.reference=\"of Base\" Base.wide="
            + (Long.MIN_VALUE + 5));
        check("a reference to itself", leaf.getValueOfField("self"), leaf);
        check("static fields of all types", statics("Known$Derived"),
            "CONSTANT=99 flag=true letter=\u20ac only=Leaf ratio=-1.25 tiny=-7");
        check("a static field of a superclass", statics("Known$Base"),
            "counter=" + 0x1122334455667788L);
        check("static fields of an interface", statics("Known$Constants"),
            "OBJECT=Marker ONE=1 TEXT=\"of Constants\"");
        check("static fields of an interface with a superinterface",
            statics("Known$More"), "HALF=0.5 ONE=Marker");
        check("an instance without fields", fields((Instance) known("empty")), "");
        check("superclass", type("Known$Leaf").getSuperClass().getName(),
            "Known$Derived");
        check("a class object", ((Instance) known("array")).getInstanceId(),
            type("java.lang.String[][]").getJavaClassId());
        check("what a weak reference refers to",
            text((Instance) ((Instance) ((Instance) known("weak"))
                .getValueOfField("referent")).getValueOfField("text")),
            "\"weakly, too\"");
    }

    static void checkArrays() {
        check("boolean[]", values(known("booleans")), "true false true");
        check("byte[]", values(known("bytes")), "-128 0 127");
        check("char[]", values(known("chars")), "a \u20ac \uffff");
        check("short[]", values(known("shorts")), "-32768 1 32767");
        check("an empty int[]", values(known("noInts")), "");
        check("long[]", values(known("longs")),
            Long.MIN_VALUE + " 1 " + Long.MAX_VALUE);
        check("float[]", values(known("floats")), "NaN -0.0 3.5");
        check("double[]", values(known("doubles")),
            "-Infinity 1.0E300 " + Double.MIN_VALUE);
        check("Object[] with nulls", elements(known("objects")),
            "null Leaf null \"text\" null");
        check("int[][]", elements(known("grid")), "int[] null int[]");
        check("its row", values(((ObjectArrayInstance) known("grid")).getValues().get(0)),
            "1 2 3");
        check("an empty String[]", elements(known("noStrings")), "");
        check("its class",
            ((Instance) known("noStrings")).getJavaClass().getName(), "java.lang.String[]");
        List<String> many = ((PrimitiveArrayInstance) known("manyInts")).getValues();
        boolean right = many.size() == 400000;
        for (int i = 0; right && i < many.size(); i++)
            right = many.get(i).equals(String.valueOf(i * 3));
        check("an array longer than a segment", right, true);
        List<Instance> objects = ((ObjectArrayInstance) known("manyObjects")).getValues();
        Set<String> filled = new TreeSet<>();
        for (int i = 0; i < objects.size(); i++)
            if (objects.get(i) != null)
                filled.add(i + "=" + text(objects.get(i)));
        check("a long array of references", objects.size() + " " + filled,
            "200000 [199998=Known$Node, 5=Known$Leaf]");
    }

    static void checkCounts() {
        check("instances of a class", type("Known$Node").getInstancesCount(), 1000);
        Instance node = (Instance) known("head");
        int count = 0;
        boolean right = true;
        for (; node != null; node = (Instance) node.getValueOfField("next"))
            right &= node.getValueOfField("number").equals(999 - count++);
        check("a list in its order", right + " " + count, "true 1000");
        check("of a superclass only its own", type("Known$Derived").getInstancesCount(), 0);
        check("markers", type("Known$Marker").getInstances().stream()
            .map(m -> text((Instance) m.getValueOfField("text"))).sorted()
            .collect(Collectors.toList()),
            "[\"JNI local\", \"hides a constant\", \"local\", \"of an interface\", "
            + "\"weakly, too\"]");
        long entries = ((Instance) known("map")).getValueOfField("size") == null ? 0
            : (Integer) ((Instance) known("map")).getValueOfField("size");
        check("a map's size", entries, 100);
        check("the number of all instances", heap.getSummary().getTotalLiveInstances(),
            counts(heap).values().stream().mapToLong(n -> n).sum());
    }

    static Instance marker(String text) {
        return type("Known$Marker").getInstances().stream()
            .filter(m -> text((Instance) m.getValueOfField("text")).equals(text))
            .findFirst().get();
    }

    static String where(ThreadObjectGCRoot thread, int frame) {
        StackTraceElement at = thread.getStackTrace()[frame];
        return text((Instance) thread.getInstance().getValueOfField("name")) + " "
            + at.getClassName() + "." + at.getMethodName() + " "
            + (at.isNativeMethod() ? "native" : at.getFileName())
            + (at.getLineNumber() > 100 ? " with a line" : "");
    }

    static boolean isRoot(Object object, String kind) {
        return heap.getGCRoots((Instance) object).stream()
            .anyMatch(r -> r.getKind().equals(kind));
    }

    static void checkRoots() {
        String where = "";
        for (GCRoot root : heap.getGCRoots(marker("\"local\"")))
            if (root instanceof JavaFrameGCRoot)
                where = where(((JavaFrameGCRoot) root).getThreadGCRoot(),
                              ((JavaFrameGCRoot) root).getFrameNumber());
        check("a local variable's frame", where,
            "\"holder\" Known.hold Known.java with a line");
        where = "";
        for (GCRoot root : heap.getGCRoots(marker("\"JNI local\"")))
            where += root.getKind() + " " + where(((JniLocalGCRoot) root).getThreadGCRoot(),
                ((JniLocalGCRoot) root).getFrameNumber());
        check("a native method's local reference", where,
            GCRoot.JNI_LOCAL + " \"native\" Known.descend native");
        Set<String> threads = new HashSet<>(), kinds = new HashSet<>();
        for (GCRoot root : heap.getGCRoots()) {
            kinds.add(root.getKind());
            if (root instanceof ThreadObjectGCRoot)
                threads.add(text((Instance) root.getInstance().getValueOfField("name")));
        }
        check("threads are roots",
            threads.containsAll(Set.of("\"holder\"", "\"Finalizer\"", "\"Reference Handler\"")),
            true);
        check("kinds of roots", kinds.containsAll(Set.of(GCRoot.THREAD_OBJECT,
            GCRoot.JAVA_FRAME, GCRoot.STICKY_CLASS, GCRoot.JNI_GLOBAL)), true);
        check("a locked object is a frame's root", isRoot(known("lock"), GCRoot.JAVA_FRAME),
            true);
        check("java.lang.Object is a system class", heap.getGCRoots().stream()
            .anyMatch(r -> r.getKind().equals(GCRoot.STICKY_CLASS) && r.getInstance() != null
                && r.getInstance().getInstanceId()
                    == type("java.lang.Object").getJavaClassId()), true);
        check("what is no root", heap.getGCRoots(((Instance) known("owner"))).isEmpty(),
            true);
        check("the retained size of what owns a block", ((Instance) known("owner"))
            .getRetainedSize() - ((Instance) known("owner")).getSize() > 100000
            && ((Instance) known("owner")).getRetainedSize() < 101000, true);
    }

    // -- a moment of what Busy does --

    static long number(Instance of, String field) {
        return ((Number) of.getValueOfField(field)).longValue();
    }

    static String worker(Instance worker) {
        Instance chain = (Instance) worker.getValueOfField("chain");
        long first = number(worker, "first"), second = number(worker, "second");
        long number = number(chain, "number"), length = 0;
        for (Instance node = (Instance) chain.getValueOfField("head"); node != null;
             node = (Instance) node.getValueOfField("next"), length++)
            if (number(node, "number") != number)
                return "a node of " + number(node, "number") + " in " + number;
        return length == number(chain, "length") && length == number % 200 + 1
            && second <= number && number <= first && first <= second + 1 ? "fits"
            : first + ", " + number + ", " + second + ", length " + length;
    }

    static void checkBusy() {
        List<Instance> workers =
            ((ObjectArrayInstance) type("Busy").getValueOfStaticField("workers")).getValues();
        check("each of the threads at one moment",
            workers.stream().map(Reader::worker).collect(Collectors.toSet()), "[fits]");
        check("all of them", workers.size(), 16);
    }

    // -- two dumps of one heap --

    static Map<String, Integer> counts(Heap of) {
        Map<String, Integer> counts = new TreeMap<>();
        for (JavaClass c : of.getAllClasses())
            counts.merge(c.getName(), c.getInstancesCount(), Integer::sum);
        return counts;
    }

    /** Walks both from the statics of a class and compares all values on the way. */
    static String difference(Heap a, Heap b, String root) {
        ArrayDeque<Instance[]> todo = new ArrayDeque<>();
        Set<Long> seen = new HashSet<>();
        int objects = 0;
        Map<String, FieldValue> theirs = b.getJavaClassByName(root).getStaticFieldValues()
            .stream().collect(Collectors.toMap(v -> v.getField().getName(), v -> v,
                (x, y) -> x));
        for (FieldValue v : a.getJavaClassByName(root).getStaticFieldValues()) {
            if (v.getField().getName().startsWith("<"))
                continue;
            String found = push(v, theirs.get(v.getField().getName()), todo, seen);
            if (found != null)
                return root + "." + v.getField().getName() + " " + found;
        }
        for (; !todo.isEmpty(); objects++) {
            Instance[] pair = todo.remove();
            String found = compare(pair[0], pair[1], todo, seen);
            if (found != null)
                return pair[0].getJavaClass().getName() + " " + found;
        }
        return "none in many: " + (objects > 500);
    }

    static String push(FieldValue x, FieldValue y, ArrayDeque<Instance[]> todo,
                       Set<Long> seen) {
        if (x instanceof ObjectFieldValue && y instanceof ObjectFieldValue)
            return push(((ObjectFieldValue) x).getInstance(),
                        ((ObjectFieldValue) y).getInstance(), todo, seen);
        return y != null && x.getValue().equals(y.getValue()) ? null
            : x.getValue() + " and " + (y == null ? "nothing" : y.getValue());
    }

    static String push(Instance x, Instance y, ArrayDeque<Instance[]> todo,
                       Set<Long> seen) {
        if ((x == null) != (y == null))
            return "null in one, " + (x == null ? y : x).getJavaClass().getName();
        if (x == null || !seen.add(x.getInstanceId()))
            return null;
        todo.add(new Instance[] { x, y });
        return null;
    }

    static String compare(Instance x, Instance y, ArrayDeque<Instance[]> todo,
                          Set<Long> seen) {
        String name = x.getJavaClass().getName();
        if (!name.equals(y.getJavaClass().getName()))
            return "and " + y.getJavaClass().getName();
        if (x instanceof PrimitiveArrayInstance)
            return ((PrimitiveArrayInstance) x).getValues()
                .equals(((PrimitiveArrayInstance) y).getValues()) ? null : "elements";
        if (x instanceof ObjectArrayInstance) {
            List<Instance> xs = ((ObjectArrayInstance) x).getValues();
            List<Instance> ys = ((ObjectArrayInstance) y).getValues();
            if (xs.size() != ys.size())
                return "length";
            for (int i = 0; i < xs.size(); i++) {
                String found = push(xs.get(i), ys.get(i), todo, seen);
                if (found != null)
                    return "[" + i + "] " + found;
            }
            return null;
        }
        // Class objects of primitive types have values in HotSpot's dump only, and the VM
        // changes those of threads and loaders.
        if (name.startsWith("java.lang.") && !name.matches("java.lang.(String|Integer)"))
            return null;
        if (x.getSize() != y.getSize())
            return "size " + x.getSize() + " and " + y.getSize();
        List<FieldValue> xs = x.getFieldValues(), ys = y.getFieldValues();
        if (xs.size() != ys.size())
            return "number of fields";
        // HotSpot's own dump has an order of its own inside of a class.
        Function<FieldValue, String> key = v -> v.getField().getDeclaringClass().getName()
            + "." + v.getField().getName();
        Map<String, FieldValue> theirs =
            ys.stream().collect(Collectors.toMap(key, v -> v));
        for (FieldValue v : xs) {
            String found = push(v, theirs.get(key.apply(v)), todo, seen);
            if (found != null)
                return v.getField().getName() + " " + found;
        }
        return null;
    }

    static Set<String> roots(Heap of, String kind) {
        return of.getGCRoots().stream().filter(r -> r.getKind().equals(kind))
            .map(r -> name(of, r)).collect(Collectors.toSet());
    }

    static String name(Heap of, GCRoot root) {
        Instance at = root.getInstance();
        JavaClass c = at == null ? null : of.getJavaClassByID(at.getInstanceId());
        if (c != null)
            return c.getName();
        return at == null ? "?" : root instanceof ThreadObjectGCRoot
            ? text((Instance) at.getValueOfField("name")) : at.getJavaClass().getName();
    }

    static void compare(Heap a, Heap b) {
        Map<String, Integer> ours = counts(a), theirs = counts(b);
        List<String> program = new ArrayList<>(), others = new ArrayList<>();
        long total = 0, apart = 0;
        for (String name : theirs.keySet()) {
            int x = ours.getOrDefault(name, 0), y = theirs.get(name);
            total += y;
            // HotSpot's dump leaves out the Class objects of its archive, and has as int[]
            // what fills the gaps between objects.
            if (x == y || name.equals("java.lang.Class") || name.equals("int[]") && x < y)
                continue;
            (name.startsWith("Known") ? program : others).add(name + " " + x + "/" + y);
            apart += Math.abs(x - y);
        }
        check("instances of the program's classes", program, "[]");
        // Attaching, reflection and the dumps themselves come between.
        check("and of all others, nearly", apart * 20 <= total, true);
        System.out.println("# " + apart + " of " + total + ": " + others);
        check("values from the program's static fields on",
            difference(a, b, "Known"), "none in many: true");
        check("values from Integer's caches on",
            difference(a, b, "java.lang.Integer$IntegerCache").replace("true", "false"),
            "none in many: false");
        Set<String> threads = roots(b, GCRoot.THREAD_OBJECT);
        threads.removeAll(roots(a, GCRoot.THREAD_OBJECT));
        check("threads", threads, "[]");
        Set<String> classes = roots(b, GCRoot.STICKY_CLASS);
        classes.removeAll(roots(a, GCRoot.STICKY_CLASS));
        check("system classes", classes, "[]");
    }

    public static void main(String[] args) throws Exception {
        System.setOut(new PrintStream(System.out, true, "UTF-8"));
        heap = HeapFactory.createHeap(new File(args[1]));
        if (args[0].equals("compare")) {
            compare(heap, HeapFactory.createHeap(new File(args[2])));
        } else if (args[0].equals("busy")) {
            checkBusy();
        } else {
            checkFields();
            checkArrays();
            checkCounts();
            checkRoots();
            // HotSpot tells of no monitors but as what frames refer to.
            if (args.length > 2)
                check("a contended monitor is a root",
                    isRoot(known("contended"), GCRoot.MONITOR_USED), true);
        }
        System.exit(0);
    }
}
