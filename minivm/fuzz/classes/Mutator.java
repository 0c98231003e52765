// SPDX-License-Identifier: MIT
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes of a class file and a number another class file, always the same one: some
 * edits that know the structure, and now and then a raw byte. Most mutants have one
 * edit, since of several faults VMs may report any.
 */
final class Mutator {
    private static final String[] WORDS = {
        "<init>", "<clinit>", "<other>", "()V", "()I", "()J", "(I)V", "(Ljava/lang/Object;)V",
        "()Ljava/lang/Object;", "V", "I", "J", "D", "[I", "[[I", "[V", "Ljava/lang/Object;",
        "Ljava/lang/String;", "L;", "[", "", "L", "LA", "La//b;", "La.b;", "a;b", "a[b", "a/b",
        "/a", "a/", "a.b", "java/lang/Object", "java/lang/String", "java/lang/Throwable",
        "java/lang/Record", "java/lang/Enum", "java/lang/Runnable", "java/lang/Cloneable",
        "[Ljava/lang/Object;", "[[[[[[[[I", "no/Such", "java/lang/invoke/MethodHandle",
        "invokeExact", "java/lang/invoke/VarHandle", "java/lang/Exception", "this", "main",
        "([Ljava/lang/String;)V", "finalize", "clone", "(JD)V", "(", ")V", "()", "(V)V", "(I",
        "\u0000", "a\u00e9", "\u4e2d", "module-info", "package-info", "values", "equals",
        "Code", "ConstantValue", "StackMapTable", "StackMap", "Exceptions", "InnerClasses",
        "EnclosingMethod", "Synthetic", "Signature", "SourceFile", "SourceDebugExtension",
        "LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "Deprecated",
        "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations", "AnnotationDefault",
        "RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations",
        "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations",
        "BootstrapMethods", "MethodParameters", "Module", "ModulePackages",
        "ModuleMainClass", "NestHost", "NestMembers", "Record", "PermittedSubclasses",
    };
    private static final int FIRST_ATTRIBUTE = Arrays.asList(WORDS).indexOf("Code");
    private static final int[] NUMBERS = {
        0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 127, 128, 254, 255, 256, 32767, 32768, 65534,
        65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -2, 0x7ff00000, 0x7fc00000,
    };
    private static final int[] FLAGS = {
        0, 1, 0x10, 0x20, 0x21, 0x30, 0x31, 0x200, 0x400, 0x420, 0x600, 0x601, 0x1000,
        0x1008, 0x2600, 0x2601, 0x4010, 0x4030, 0x8000, 0xa, 0x19, 0x401, 0x500, 0x109, 0xffff,
    };

    private long state;
    private byte[] b;
    private ClassMap map;
    /** What was done, for people. */
    final StringBuilder edits = new StringBuilder();

    /** A number from 0 to limit - 1 by splitmix64; 0 where a mutant has none of the things. */
    private int below(int limit) {
        long z = state += 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return (int) ((z ^ z >>> 31) >>> 1 & 0x7fffffff) % Math.max(limit, 1);
    }

    private <T> T oneOf(List<T> list) {
        return list.get(below(list.size()));
    }

    private static long mix(long seed) {
        return seed * 0xd1342543de82ef95L + 0x2545f4914f6cdd1dL;
    }

    /** The number of the seed class of that mutant. */
    static int choose(long seed, int count) {
        Mutator m = new Mutator();
        m.state = mix(seed);
        return m.below(count);
    }

    byte[] mutate(long seed, byte[] original) {
        state = mix(seed);
        below(1 << 20);
        b = original;
        edits.setLength(0);
        int count = below(10) < 7 ? 1 : 2 + below(2);
        for (int i = 0; i < count; i++) {
            map = new ClassMap(b);
            if (map.sites.isEmpty())
                break;
            edit();
        }
        return b;
    }

    private void note(String format, Object... values) {
        if (edits.length() > 0)
            edits.append("; ");
        edits.append(String.format(format, values));
    }

    private void edit() {
        int choice = below(100);
        if (choice < 62 || map.nodes.isEmpty())
            editSite();
        else if (choice < 84)
            editNode();
        else if (choice < 90)
            addAttribute();
        else if (choice < 96)
            editText();
        else
            editByte();
    }

    private void editByte() {
        int at = below(b.length);
        int value = below(3) == 0 ? b[below(b.length)] : below(256);
        b = b.clone();
        note("byte %d %02x to %02x", at, b[at] & 255, value & 255);
        b[at] = (byte) value;
    }

    /** Each kind of site has the same chance, and each site of that kind. */
    private void editSite() {
        Map<ClassMap.Kind, List<ClassMap.Site>> kinds = new EnumMap<>(ClassMap.Kind.class);
        for (ClassMap.Site site : map.sites)
            if (site.kind() != ClassMap.Kind.TEXT)
                kinds.computeIfAbsent(site.kind(), kind -> new ArrayList<>()).add(site);
        // Instructions and indices are most of what the specification speaks of.
        ClassMap.Kind kind = switch (below(5)) {
            case 0 -> ClassMap.Kind.OPCODE;
            case 1 -> ClassMap.Kind.INDEX;
            default -> oneOf(new ArrayList<>(kinds.keySet()));
        };
        if (!kinds.containsKey(kind))
            kind = ClassMap.Kind.COUNT;
        ClassMap.Site site = oneOf(kinds.get(kind));
        if (kind == ClassMap.Kind.INDEX && below(4) == 0) {
            int index = addConstant(site.tag(), 3);
            // The pool came before the site, if that is not in the pool itself.
            int at = site.at() < map.poolEnd ? site.at() : site.at() + b.length - map.b.length;
            set(site, at, index);
            return;
        }
        set(site, site.at(), valueFor(site));
    }

    private void set(ClassMap.Site site, int at, int value) {
        int old = 0;
        b = b.clone();
        for (int i = 0; i < site.width(); i++) {
            old = old << 8 | b[at + i] & 255;
            b[at + i] = (byte) (value >> 8 * (site.width() - 1 - i));
        }
        note("%s at %d %d to %d", site.kind(), at, old, value);
    }

    private int valueFor(ClassMap.Site site) {
        int old = site.width() == 1 ? map.u1(site.at())
            : site.width() == 2 ? map.u2(site.at()) : map.u4(site.at());
        return switch (site.kind()) {
            case VERSION -> below(6) == 0 ? 65535 * below(2) : 44 + below(27);
            case TAG -> below(22);
            case INDEX -> index(site.tag());
            case FLAGS -> below(3) == 0 ? FLAGS[below(FLAGS.length)] : old ^ 1 << below(16);
            case REFERENCE_KIND -> below(11);
            case OPCODE -> opcode(old);
            case BRANCH -> branch(site);
            case PC -> below(3) == 0 ? old + below(5) - 2 : below(64);
            case FRAME -> below(4) == 0 ? 246 + below(10) : below(4) == 0 ? below(256)
                : old + below(3) - 1;
            case VERIFICATION_TYPE -> below(10);
            case ELEMENT_TAG -> "BCDFIJSZsce@[x".charAt(below(14));
            case LOCAL, LIMIT, COUNT -> below(3) != 0 ? old + below(5) - 2 : number();
            default -> below(2) == 0 ? old + below(5) - 2 : number();
        };
    }

    private int number() {
        return NUMBERS[below(NUMBERS.length)];
    }

    /** Mostly one of that kind, or nearly; else any, none, or one too far. */
    private int index(int tag) {
        int count = map.tags.length;
        int choice = below(12);
        if (choice == 0)
            return 0;
        if (choice == 1)
            return count + below(2);
        if (choice < 4 || count < 2)
            return below(Math.max(count, 1));
        for (int tries = 0; tries < 200; tries++) {
            int i = below(count);
            if (map.tags[i] == tag)
                return i;
        }
        return below(count);
    }

    private int opcode(int old) {
        int length = ClassMap.instructionLength(old);
        if (below(4) != 0)
            for (int tries = 0; tries < 300; tries++) {
                int opcode = below(202);
                if (ClassMap.instructionLength(opcode) == length)
                    return opcode;
            }
        return below(10) == 0 ? below(256) : below(202);
    }

    private int branch(ClassMap.Site site) {
        int choice = below(10);
        if (choice < 7)
            return oneOf(site.code().pcs) - site.pc();
        if (choice < 9)
            return below(site.code().length + 3) - 1 - site.pc();
        return number();
    }

    /** Put insertion in place of bytes; lengths around it are set right. */
    private void splice(int at, int removed, byte[] insertion, int[] lengths) {
        byte[] result = new byte[b.length - removed + insertion.length];
        System.arraycopy(b, 0, result, 0, at);
        System.arraycopy(insertion, 0, result, at, insertion.length);
        System.arraycopy(b, at + removed, result, at + insertion.length,
                         b.length - at - removed);
        for (int place : lengths)
            put(result, place, 4, get(result, place, 4) + insertion.length - removed);
        b = result;
    }

    private static int get(byte[] bytes, int at, int width) {
        int value = 0;
        for (int i = 0; i < width; i++)
            value = value << 8 | bytes[at + i] & 255;
        return value;
    }

    private static void put(byte[] bytes, int at, int width, int value) {
        for (int i = 0; i < width; i++)
            bytes[at + i] = (byte) (value >> 8 * (width - 1 - i));
    }

    private void count(ClassMap.Node node, int change) {
        if (node.countWidth() > 0)
            put(b, node.countAt(), node.countWidth(),
                get(b, node.countAt(), node.countWidth()) + change * node.weight());
    }

    /** Leave a part out, double it, or put it where another of its kind is. */
    private void editNode() {
        ClassMap.Node node = node();
        byte[] bytes = Arrays.copyOfRange(b, node.start(), node.end());
        switch (below(4)) {
        case 0, 1 -> {
            note("without the %s at %d", node.what(), node.start());
            remove(node);
        }
        case 2 -> {
            note("the %s at %d twice", node.what(), node.start());
            splice(node.end(), 0, bytes, node.lengths());
            count(node, 1);
        }
        default -> {
            List<ClassMap.Node> others = new ArrayList<>();
            for (ClassMap.Node other : map.nodes)
                if (other.what().equals(node.what()))
                    others.add(other);
            ClassMap.Node other = oneOf(others);
            note("the %s at %d also before that at %d", node.what(), node.start(),
                 other.start());
            splice(other.start(), 0, bytes, other.lengths());
            count(other, 1);
        }
        }
    }

    /** Each name has the same chance; instructions are many. */
    private ClassMap.Node node() {
        List<String> names = new ArrayList<>();
        for (ClassMap.Node node : map.nodes)
            if (!names.contains(node.what()))
                names.add(node.what());
        String name = oneOf(names);
        List<ClassMap.Node> all = new ArrayList<>();
        for (ClassMap.Node node : map.nodes)
            if (node.what().equals(name))
                all.add(node);
        return oneOf(all);
    }

    void remove(ClassMap.Node node) {
        splice(node.start(), node.end() - node.start(), new byte[0], node.lengths());
        count(node, -1);
    }

    /** The file without one of its parts, which map describes. */
    static byte[] without(byte[] bytes, ClassMap.Node node) {
        Mutator m = new Mutator();
        m.b = bytes.clone();
        m.remove(node);
        return m.b;
    }

    private void editText() {
        List<ClassMap.Site> texts = new ArrayList<>();
        for (ClassMap.Site site : map.sites)
            if (site.kind() == ClassMap.Kind.TEXT)
                texts.add(site);
        if (texts.isEmpty())
            return;
        ClassMap.Site site = oneOf(texts);
        byte[] old = Arrays.copyOfRange(b, site.at(), site.at() + site.width());
        byte[] now = text(old);
        note("'%s' to '%s'", new String(old, StandardCharsets.UTF_8),
             new String(now, StandardCharsets.UTF_8));
        b = b.clone();
        splice(site.at(), site.width(), now, new int[0]);
        put(b, site.at() - 2, 2, now.length);
    }

    private byte[] text(byte[] old) {
        String chars = "$/.;[<>()LVIJZx:-*\u0000\u0080\u00ff";
        switch (below(4)) {
        case 0:
            return bytes(WORDS[below(WORDS.length)]);
        case 1:
            if (old.length > 0) {
                byte[] now = old.clone();
                now[below(now.length)] = (byte) chars.charAt(below(chars.length()));
                return now;
            }
            return bytes("x");
        case 2: {
            int at = below(old.length + 1);
            byte[] now = Arrays.copyOf(old, old.length + 1);
            System.arraycopy(old, at, now, at + 1, old.length - at);
            now[at] = (byte) chars.charAt(below(chars.length()));
            return now;
        }
        default:
            return old.length == 0 ? bytes("[") : Arrays.copyOf(old, old.length - 1);
        }
    }

    /** In modified UTF-8 (JVMS 4.4.7). */
    private static byte[] bytes(String text) {
        return text.replace("\u0000", "\u00c0\u0080").getBytes(
            text.indexOf('\u0000') >= 0 ? StandardCharsets.ISO_8859_1
                                        : StandardCharsets.UTF_8);
    }

    private static byte[] join(int tag, int... shorts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        for (int value : shorts) {
            out.write(value >> 8);
            out.write(value);
        }
        return out.toByteArray();
    }

    /** Adds a constant at the end of the pool and returns its index. */
    private int append(byte[] bytes, int weight) {
        int index = get(b, 8, 2);
        int end = new ClassMap(b).poolEnd;
        splice(end, 0, bytes, new int[0]);
        put(b, 8, 2, index + weight);
        return index;
    }

    private int addText(String text) {
        byte[] bytes = bytes(text);
        byte[] entry = new byte[bytes.length + 3];
        entry[0] = 1;
        put(entry, 1, 2, bytes.length);
        System.arraycopy(bytes, 0, entry, 3, bytes.length);
        return append(entry, 1);
    }

    private int some(int tag, int depth) {
        return below(3) == 0 && depth > 0 ? addConstant(tag, depth - 1) : index(tag);
    }

    /** A new constant of that kind, or now and then of another. */
    private int addConstant(int wanted, int depth) {
        int[] any = { 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20 };
        int tag = below(5) == 0 ? any[below(any.length)] : wanted;
        int index = switch (tag) {
            case ClassMap.UTF8 -> addText(WORDS[below(WORDS.length)]);
            case ClassMap.INTEGER, ClassMap.FLOAT -> {
                int value = number();
                yield append(join(tag, value >>> 16, value & 65535), 1);
            }
            case ClassMap.LONG, ClassMap.DOUBLE -> {
                int value = number();
                yield append(join(tag, value >>> 16, value & 65535, 0, below(65536)), 2);
            }
            case ClassMap.METHOD_HANDLE -> {
                int kind = 1 + below(9);
                int target = some(kind < 5 ? ClassMap.FIELD : kind == 9 ? ClassMap.INTERFACE_METHOD
                    : ClassMap.METHOD, depth);
                yield append(new byte[] { 15, (byte) kind, (byte) (target >> 8),
                                          (byte) target }, 1);
            }
            case ClassMap.FIELD, ClassMap.METHOD, ClassMap.INTERFACE_METHOD ->
                append(join(tag, some(ClassMap.CLASS, depth),
                            some(ClassMap.NAME_AND_TYPE, depth)), 1);
            case ClassMap.NAME_AND_TYPE ->
                append(join(tag, some(ClassMap.UTF8, depth), some(ClassMap.UTF8, depth)), 1);
            case ClassMap.DYNAMIC, ClassMap.INVOKE_DYNAMIC ->
                append(join(tag, below(4), some(ClassMap.NAME_AND_TYPE, depth)), 1);
            default -> append(join(tag, some(ClassMap.UTF8, depth)), 1);
        };
        note("constant %d of kind %d", index, tag);
        return index;
    }

    /** Another attribute, of any name, somewhere. */
    private void addAttribute() {
        String name = WORDS[FIRST_ATTRIBUTE + below(WORDS.length - FIRST_ATTRIBUTE)];
        int nameIndex = addText(name);
        byte[] body = switch (below(4)) {
            case 0 -> new byte[0];
            case 1 -> shorts(below(3));
            default -> body(name);
        };
        ClassMap now = new ClassMap(b);
        List<ClassMap.Node> places = new ArrayList<>();
        for (ClassMap.Node node : now.nodes)
            if (node.what().equals("attribute"))
                places.add(node);
        if (places.isEmpty())
            return;
        ClassMap.Node place = oneOf(places);
        byte[] attribute = new byte[6 + body.length];
        put(attribute, 0, 2, nameIndex);
        put(attribute, 2, 4, body.length);
        System.arraycopy(body, 0, attribute, 6, body.length);
        note("%s of %d bytes before the attribute at %d", name, body.length, place.start());
        splice(place.start(), 0, attribute, place.lengths());
        count(place, 1);
    }

    private static byte[] shorts(int... values) {
        return Arrays.copyOfRange(join(0, values), 1, 1 + 2 * values.length);
    }

    /** Something that may be the body of such an attribute. */
    private byte[] body(String name) {
        return switch (name) {
            case "ConstantValue" -> shorts(some(ClassMap.INTEGER + below(4), 1));
            case "Signature", "SourceFile" -> shorts(some(ClassMap.UTF8, 1));
            case "NestHost", "ModuleMainClass" -> shorts(some(ClassMap.CLASS, 2));
            case "Exceptions", "NestMembers", "PermittedSubclasses" ->
                shorts(1, some(ClassMap.CLASS, 2));
            case "EnclosingMethod" ->
                shorts(some(ClassMap.CLASS, 2), below(2) * some(ClassMap.NAME_AND_TYPE, 2));
            case "InnerClasses" -> shorts(1, some(ClassMap.CLASS, 2),
                some(ClassMap.CLASS, 2) * below(2), some(ClassMap.UTF8, 1) * below(2),
                FLAGS[below(FLAGS.length)]);
            case "BootstrapMethods" ->
                shorts(1, some(ClassMap.METHOD_HANDLE, 2), 1, some(ClassMap.STRING, 1));
            case "Record" -> shorts(1, some(ClassMap.UTF8, 1), some(ClassMap.UTF8, 1), 0);
            case "MethodParameters" ->
                new byte[] { 1, 0, (byte) below(map.tags.length), 0, 0 };
            case "LineNumberTable" -> shorts(1, below(8), below(100));
            case "LocalVariableTable", "LocalVariableTypeTable" ->
                shorts(1, below(4), below(4), some(ClassMap.UTF8, 1), some(ClassMap.UTF8, 1),
                       below(4));
            case "StackMapTable" -> new byte[] { 0, 1, (byte) below(256) };
            case "AnnotationDefault" ->
                new byte[] { 'I', 0, (byte) index(ClassMap.INTEGER) };
            case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" ->
                shorts(1, some(ClassMap.UTF8, 1), 0);
            case "Code" -> new byte[] { 0, 1, 0, 8, 0, 0, 0, 1, (byte) 0xb1, 0, 0, 0, 0 };
            default -> shorts(below(3), below(map.tags.length));
        };
    }
}
