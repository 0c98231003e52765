/* SPDX-License-Identifier: MIT */
/* Class files of all versions: which names and which attributes each accepts. */
import java.io.*;
import java.util.*;

public class FileVersions extends ClassLoader {
    static final int[] VERSIONS = { 45, 48, 49, 51, 52, 61 };

    FileVersions() {
        super(FileVersions.class.getClassLoader());
    }

    /** A class file with one field and one method, of parts that are given. */
    static class Writer {
        final ByteArrayOutputStream pool = new ByteArrayOutputStream();
        final Map<String, Integer> known = new HashMap<>();
        int count = 1;
        int version;
        String name = "x/Y", superName = "java/lang/Object", field = "f", fieldType = "I";
        String method = "m", methodType = "()V";
        byte[] classAttributes = {}, fieldAttributes = {}, methodAttributes = {};
        byte[] codeAttributes = {};
        int classCount, fieldCount, methodCount, codeCount;
        int access = 0x21, methodAccess = 9, fieldAccess = 9;

        int add(String key, byte[] bytes) {
            Integer old = known.get(key);

            if (old != null)
                return old;
            known.put(key, count);
            pool.writeBytes(bytes);
            return count++;
        }

        int utf8(String s) {
            ByteArrayOutputStream b = new ByteArrayOutputStream();

            try {
                new DataOutputStream(b).writeUTF(s);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            byte[] text = new byte[b.size() + 1];
            text[0] = 1;
            System.arraycopy(b.toByteArray(), 0, text, 1, b.size());
            return add("u" + s, text);
        }

        int pair(int tag, int a, int b) {
            return add(tag + " " + a + " " + b, new byte[] {
                (byte)tag, (byte)(a >> 8), (byte)a, (byte)(b >> 8), (byte)b });
        }

        int one(int tag, int a) {
            return add(tag + " " + a, new byte[] { (byte)tag, (byte)(a >> 8), (byte)a });
        }

        int classOf(String s) {
            return one(7, utf8(s));
        }

        int member(int tag, String holder, String name, String type) {
            return pair(tag, classOf(holder), pair(12, utf8(name), utf8(type)));
        }

        static byte[] bytes(int... values) {
            byte[] b = new byte[2 * values.length];

            for (int i = 0; i < values.length; i++) {
                b[2 * i] = (byte)(values[i] >> 8);
                b[2 * i + 1] = (byte)values[i];
            }
            return b;
        }

        byte[] attribute(String name, byte[] content) {
            byte[] b = Arrays.copyOf(bytes(utf8(name), 0, content.length), 6 + content.length);

            System.arraycopy(content, 0, b, 6, content.length);
            return b;
        }

        static byte[] join(byte[]... parts) {
            ByteArrayOutputStream b = new ByteArrayOutputStream();

            for (byte[] part : parts)
                b.writeBytes(part);
            return b.toByteArray();
        }

        byte[] file() {
            int me = classOf(name), top = classOf(superName);
            byte[] code = attribute("Code", join(bytes(4, 4, 0, 3),
                new byte[] { 0, 0, (byte)0xb1 }, bytes(0, codeCount), codeAttributes));
            byte[] fields = join(bytes(1, fieldAccess, utf8(field), utf8(fieldType), fieldCount),
                                 fieldAttributes);
            boolean hasCode = (methodAccess & 0x500) == 0;
            byte[] methods = join(bytes(1, methodAccess, utf8(method), utf8(methodType),
                methodCount + (hasCode ? 1 : 0)), hasCode ? code : new byte[0], methodAttributes);
            return join(bytes(0xcafe, 0xbabe, 0, version, count), pool.toByteArray(),
                        bytes(access, me, top, 0), fields, methods, bytes(classCount),
                        classAttributes);
        }
    }

    static String judge(Writer w) {
        byte[] file = w.file();

        try {
            Class<?> c = new FileVersions().defineClass(null, file, 0, file.length);
            c.getDeclaredFields();
            return "OK";
        } catch (LinkageError | RuntimeException e) {
            return e.getClass().getName();
        }
    }

    /** One line for each run of versions with the same verdict, but for what all accept. */
    static void judgeAll(String what, java.util.function.Consumer<Writer> change) {
        String last = null;
        int first = 0, before = 0;

        for (int version : VERSIONS) {
            Writer w = new Writer();
            w.version = version;
            change.accept(w);
            String verdict = judge(w);
            if (!verdict.equals(last)) {
                if (last != null)
                    print(what, first, before, last);
                last = verdict;
                first = version;
            }
            before = version;
        }
        print(what, first, before, last);
    }

    static void print(String what, int first, int last, String verdict) {
        StringBuilder b = new StringBuilder();

        if (verdict.equals("OK") && first == VERSIONS[0] && last == 61)
            return;
        for (char c : (what + " " + first + "-" + last + ": " + verdict).toCharArray())
            b.append(c >= 32 && c < 127 ? "" + c : String.format("\\u%04x", (int)c));
        System.out.println(b);
    }

    static final String[] NAMES = {
        "", "a", "6x", "a/6x", "6/a", "a/b/6", "a//b", "/a", "a/", "/", "a.b", "a;b", "a[b",
        "a-b", "a b", "a/b-c", "a/b.c", "<x>", "<init>", "<clinit>", "<", ">", "a<", "a>b",
        "$", "_1", "$1", "-", "\u0001", "class", "int", "\u00e9", "\u00e9/6", "x\u0301",
        "x\uff11", "\u20ac", "\u203f", "\u4e2d", "[I", "[[I", "[V", "[", "[[", "[X", "[Lx;",
        "[L6x;", "[Lx", "[La-b;", "[La/6x;", "[L;", "Lx;", "I", "V", "[I;", "x;", "(", ")",
        "()V", "a/b/c/d", "a/1b", "a1/b2", "1", "1a/b"
    };

    static String longArray() {
        return "[".repeat(255) + "I";
    }

    static void names() {
        List<String> names = new ArrayList<>(Arrays.asList(NAMES));

        names.add(longArray());
        names.add("[" + longArray());
        for (String n : names) {
            judgeAll("this " + n, w -> w.name = n);
            judgeAll("class " + n, w -> w.classOf(n));
            judgeAll("field " + n, w -> w.field = n);
            judgeAll("method " + n, w -> w.method = n);
            judgeAll("field type " + n, w -> w.fieldType = "L" + n + ";");
            judgeAll("any type " + n, w -> w.fieldType = n);
            judgeAll("parameter " + n, w -> w.methodType = "(IL" + n + ";)V");
            judgeAll("result " + n, w -> {
                w.methodType = "(L" + n + ";)L" + n + ";";
                w.methodAccess = 0x401;
                w.access = 0x421;
            });
            judgeAll("method type " + n, w -> w.methodType = n);
            judgeAll("fieldref " + n, w -> w.member(9, "x/Z", n, "I"));
            judgeAll("methodref " + n, w -> w.member(10, "x/Z", n, "()V"));
            judgeAll("NameAndType " + n, w -> w.pair(12, w.utf8(n), w.utf8("I")));
            judgeAll("MethodType " + n, w -> w.one(16, w.utf8("(L" + n + ";)V")));
            for (String table : new String[] { "LocalVariableTable", "LocalVariableTypeTable" }) {
                judgeAll(table + " name " + n, w -> {
                    w.codeCount = 1;
                    w.codeAttributes = w.attribute(table, Writer.bytes(1, 0, 1, w.utf8(n),
                                                                       w.utf8("I"), 0));
                });
                judgeAll(table + " type " + n, w -> {
                    w.codeCount = 1;
                    w.codeAttributes = w.attribute(table, Writer.bytes(1, 0, 1, w.utf8("l"),
                        w.utf8("L" + n + ";"), 0));
                });
            }
        }
    }

    /* Rows of the two tables of locals: start, length, slot, type. */
    static final Object[][] ROWS = {
        { 0, 3, 0, "I" }, { 0, 4, 0, "I" }, { 3, 0, 0, "I" }, { 2, 1, 4, "I" },
        { 0, 1, 3, "J" }, { 0, 1, 65535, "I" }, { 0, 1, 0, "" }, { 0, 1, 0, "TX;" }
    };

    static byte[] table(Writer w, String name, Object[]... rows) {
        byte[] all = Writer.bytes(rows.length);

        for (Object[] r : rows)
            all = Writer.join(all, Writer.bytes((int)r[0], (int)r[1], w.utf8("v"),
                                                w.utf8((String)r[3]), (int)r[2]));
        return w.attribute(name, all);
    }

    static void locals() {
        String plain = "LocalVariableTable", typed = "LocalVariableTypeTable";

        for (Object[] a : ROWS) {
            for (String t : new String[] { plain, typed }) {
                judgeAll(t + Arrays.toString(a), w -> {
                    w.codeCount = 1;
                    w.codeAttributes = table(w, t, a);
                });
                judgeAll(t + " twice" + Arrays.toString(a), w -> {
                    w.codeCount = 1;
                    w.codeAttributes = table(w, t, a, a);
                });
                judgeAll(t + " two" + Arrays.toString(a), w -> {
                    w.codeCount = 2;
                    w.codeAttributes = Writer.join(table(w, t, a), table(w, t, a));
                });
            }
            for (Object[] b : ROWS)
                for (int i = 0; i < 2; i++) {
                    boolean isFirst = i == 0;
                    judgeAll(plain + Arrays.toString(a) + typed + Arrays.toString(b) + i, w -> {
                        byte[] x = table(w, plain, a), y = table(w, typed, b);
                        w.codeCount = 2;
                        w.codeAttributes = isFirst ? Writer.join(x, y) : Writer.join(y, x);
                    });
                }
            judgeAll("empty " + Arrays.toString(a), w -> {
                w.codeCount = 2;
                w.codeAttributes = Writer.join(table(w, plain), table(w, typed, a));
            });
            judgeAll("abstract " + Arrays.toString(a), w -> {
                w.methodCount = 1;
                w.methodAttributes = table(w, typed, a);
            });
        }
    }

    static final String[] ATTRIBUTES = {
        "ConstantValue", "Code", "StackMapTable", "Exceptions", "InnerClasses",
        "EnclosingMethod", "Synthetic", "Signature", "SourceFile", "SourceDebugExtension",
        "LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "Deprecated",
        "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations",
        "RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations",
        "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations",
        "AnnotationDefault", "BootstrapMethods", "MethodParameters", "Module",
        "ModulePackages", "ModuleMainClass", "NestHost", "NestMembers", "Record",
        "PermittedSubclasses", "Unknown", "StackMap"
    };

    static void attributes() {
        for (String name : ATTRIBUTES)
            for (int shape = 0; shape < 5; shape++) {
                int[][] contents = { {}, { 0 }, { 1 }, { 0, 0 }, { 1, 0, 0, 0, 0 } };
                int[] content = contents[shape];
                for (int n = 1; n <= 2; n++)
                    for (int odd = 0; odd < 2; odd++) {
                        int times = n;
                        byte[] plain = Writer.bytes(content);
                        byte[] body = odd == 0 ? plain : Arrays.copyOf(plain, plain.length + 1);
                        String what = name + Arrays.toString(content) + odd + " x" + n;
                        java.util.function.Function<Writer, byte[]> make = w -> {
                            byte[] one = w.attribute(name, body);
                            return times == 1 ? one : Writer.join(one, one);
                        };
                        judgeAll("class " + what, w -> {
                            w.classAttributes = make.apply(w);
                            w.classCount = times;
                        });
                        judgeAll("field " + what, w -> {
                            w.fieldAttributes = make.apply(w);
                            w.fieldCount = times;
                        });
                        judgeAll("method " + what, w -> {
                            w.methodAttributes = make.apply(w);
                            w.methodCount = times;
                        });
                        judgeAll("code " + what, w -> {
                            w.codeAttributes = make.apply(w);
                            w.codeCount = times;
                        });
                    }
            }
    }

    static void flags() {
        for (int bit = 0; bit < 16; bit++) {
            int flag = 1 << bit;
            judgeAll("class flag " + flag, w -> w.access = flag);
            judgeAll("class flags " + flag, w -> w.access ^= flag);
            judgeAll("interface flags " + flag, w -> w.access = 0x601 ^ flag);
            judgeAll("field flags " + flag, w -> w.fieldAccess ^= flag);
            judgeAll("field flag " + flag, w -> w.fieldAccess = flag);
            judgeAll("method flags " + flag, w -> w.methodAccess ^= flag);
            judgeAll("method flag " + flag, w -> w.methodAccess = flag);
            judgeAll("init flags " + flag, w -> {
                w.method = "<init>";
                w.methodAccess = 1 ^ flag;
            });
            judgeAll("clinit flags " + flag, w -> {
                w.method = "<clinit>";
                w.methodAccess = 8 ^ flag;
            });
            for (int other = 0; other < 4; other++) {
                int second = 1 << other;
                judgeAll("interface method flags " + flag + " " + second, w -> {
                    w.access = 0x601;
                    w.fieldAccess = 0x19;
                    w.methodAccess = flag | second;
                });
            }
            judgeAll("interface field flags " + flag, w -> {
                w.access = 0x601;
                w.fieldAccess = 0x19 ^ flag;
            });
        }
    }

    public static void main(String[] args) {
        names();
        locals();
        attributes();
        flags();
    }
}
