// SPDX-License-Identifier: MIT

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Class files that grow in one respect; of version 49, which need no stack map frames. */
final class ClassFile {
    static final int PUBLIC = 1, STATIC = 8, INTERFACE = 0x600;

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream(),
                                        fieldBytes = new ByteArrayOutputStream(),
                                        methodBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes),
                                   fields = new DataOutputStream(fieldBytes),
                                   methods = new DataOutputStream(methodBytes);
    private final Map<String, Integer> known = new HashMap<>();
    private final int access, self, superclass;
    private final int[] interfaces;
    private int poolCount = 1, fieldCount, methodCount;

    ClassFile(int access, String name, String superclass, String... interfaces) {
        this.access = access;
        self = type(name);
        this.superclass = type(superclass);
        this.interfaces = new int[interfaces.length];
        for (int i = 0; i < interfaces.length; i++)
            this.interfaces[i] = type(interfaces[i]);
    }

    interface Part {
        void write(DataOutputStream out) throws IOException;
    }

    private int add(String key, Part part) {
        Integer at = known.get(key);
        if (at != null)
            return at;
        try {
            part.write(pool);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        known.put(key, poolCount);
        return poolCount++;
    }

    private int entry(String kind, int tag, int... operands) {
        StringBuilder key = new StringBuilder(kind);
        for (int operand : operands)
            key.append(' ').append(operand);
        return add(key.toString(), out -> {
            out.writeByte(tag);
            for (int operand : operands)
                out.writeShort(operand);
        });
    }

    int text(String s) {
        return add("utf8 " + s, out -> {
            out.writeByte(1);
            out.writeUTF(s);
        });
    }

    int type(String name) {
        return entry("class", 7, text(name));
    }

    int string(String s) {
        return entry("string", 8, text(s));
    }

    int member(boolean isField, String owner, String name, String descriptor) {
        int what = entry("name", 12, text(name), text(descriptor));
        return entry(isField ? "field" : "method", isField ? 9 : 10, type(owner), what);
    }

    void field(int flags, String name, String descriptor) throws IOException {
        fields.writeShort(flags);
        fields.writeShort(text(name));
        fields.writeShort(text(descriptor));
        fields.writeShort(0);
        fieldCount++;
    }

    /** The body of a method; tables are in units of rows. */
    static final class Code {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        final ByteArrayOutputStream handlers = new ByteArrayOutputStream(),
                                    lines = new ByteArrayOutputStream(),
                                    locals = new ByteArrayOutputStream();
        int stack = 4, variables = 4, handlerCount, lineCount, localCount;

        Code op(int... bytes) throws IOException {
            for (int b : bytes)
                out.writeByte(b);
            return this;
        }

        Code wide(int opcode, int operand) throws IOException {
            out.writeByte(opcode);
            out.writeShort(operand);
            return this;
        }

        void handler(int from, int to, int target, int type) throws IOException {
            DataOutputStream row = new DataOutputStream(handlers);
            row.writeShort(from);
            row.writeShort(to);
            row.writeShort(target);
            row.writeShort(type);
            handlerCount++;
        }

        void line(int number) throws IOException {
            DataOutputStream row = new DataOutputStream(lines);
            row.writeShort(out.size());
            row.writeShort(number);
            lineCount++;
        }

        void local(int from, int length, int name, int descriptor, int slot)
                throws IOException {
            DataOutputStream row = new DataOutputStream(locals);
            row.writeShort(from);
            row.writeShort(length);
            row.writeShort(name);
            row.writeShort(descriptor);
            row.writeShort(slot);
            localCount++;
        }
    }

    void method(int flags, String name, String descriptor, Code code) throws IOException {
        methods.writeShort(flags);
        methods.writeShort(text(name));
        methods.writeShort(text(descriptor));
        methods.writeShort(code == null ? 0 : 1);
        methodCount++;
        if (code == null)
            return;
        int tables = (code.lineCount > 0 ? 1 : 0) + (code.localCount > 0 ? 1 : 0);
        int size = 12 + code.out.size() + code.handlers.size()
                   + (code.lineCount > 0 ? 8 + code.lines.size() : 0)
                   + (code.localCount > 0 ? 8 + code.locals.size() : 0);
        methods.writeShort(text("Code"));
        methods.writeInt(size);
        methods.writeShort(code.stack);
        methods.writeShort(code.variables);
        methods.writeInt(code.out.size());
        code.bytes.writeTo(methods);
        methods.writeShort(code.handlerCount);
        code.handlers.writeTo(methods);
        methods.writeShort(tables);
        table("LineNumberTable", code.lineCount, code.lines);
        table("LocalVariableTable", code.localCount, code.locals);
    }

    private void table(String name, int count, ByteArrayOutputStream rows)
            throws IOException {
        if (count == 0)
            return;
        methods.writeShort(text(name));
        methods.writeInt(2 + rows.size());
        methods.writeShort(count);
        rows.writeTo(methods);
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        out.writeInt(0xcafebabe);
        out.writeInt(49);
        out.writeShort(poolCount);
        poolBytes.writeTo(out);
        out.writeShort(access);
        out.writeShort(self);
        out.writeShort(superclass);
        out.writeShort(interfaces.length);
        for (int i : interfaces)
            out.writeShort(i);
        out.writeShort(fieldCount);
        fieldBytes.writeTo(out);
        out.writeShort(methodCount);
        methodBytes.writeTo(out);
        out.writeShort(0);
        return all.toByteArray();
    }
}
