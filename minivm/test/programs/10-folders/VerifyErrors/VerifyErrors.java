/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 21
import java.util.function.Consumer;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

/* Class files that must be refused, one fault each, old and new format. */
public class VerifyErrors {
    static int made;

    static class Own extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    static void load(String what, byte[] b) {
        try {
            Class<?> c = new Own().define(b);
            Class.forName(c.getName(), true, c.getClassLoader());
            System.out.println(what + ": accepted");
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getSimpleName());
        }
    }

    static ClassWriter begin(int version) {
        ClassWriter w = new ClassWriter(0);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, "Made" + made++, null, "java/lang/Object", null);
        return w;
    }

    static int version;

    static void frame(MethodVisitor m, int kind, Object... stack) {
        if (version >= V1_6) {
            m.visitFrame(kind, 0, null, stack.length, stack);
        }
    }

    static void code(String what, String desc, int stack, int locals, Consumer<MethodVisitor> body) {
        for (int v : new int[] { V1_4, V1_8, V17 }) {
            version = v;
            ClassWriter w = begin(version);
            MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", desc, null, null);
            m.visitCode();
            body.accept(m);
            m.visitMaxs(stack, locals);
            m.visitEnd();
            w.visitEnd();
            load(what + " " + (version & 0xffff), w.toByteArray());
        }
    }

    public static void main(String[] args) {
        code("good", "()I", 1, 0, m -> {
            m.visitInsn(ICONST_1);
            m.visitInsn(IRETURN);
        });
        code("stack underflow", "()I", 2, 0, m -> {
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        code("stack overflow", "()I", 1, 0, m -> {
            m.visitInsn(ICONST_1);
            m.visitInsn(ICONST_1);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        code("local out of range", "()I", 1, 1, m -> {
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IRETURN);
        });
        code("unset local", "()I", 1, 1, m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
        code("int as reference", "(I)V", 1, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        code("long half", "(J)I", 1, 2, m -> {
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IRETURN);
        });
        code("split long", "(J)V", 2, 2, m -> {
            m.visitVarInsn(LLOAD, 0);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        code("wrong return", "()I", 1, 0, m -> {
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ARETURN);
        });
        code("return from int", "()I", 1, 0, m -> m.visitInsn(RETURN));
        code("falls off", "()V", 1, 0, m -> m.visitInsn(NOP));
        code("wrong argument", "(Ljava/lang/String;)I", 2, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "abs", "(I)I", false);
            m.visitInsn(IRETURN);
        });
        code("wrong receiver", "(Ljava/lang/Object;)I", 2, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(IRETURN);
        });
        code("interface receiver is free", "(Ljava/lang/Object;)V", 2, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
            m.visitInsn(RETURN);
        });
        code("uninitialized use", "()Ljava/lang/Object;", 2, 0, m -> {
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitInsn(ARETURN);
        });
        code("init twice", "()V", 3, 0, m -> {
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitInsn(DUP);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitInsn(RETURN);
        });
        code("missing frame", "(I)I", 1, 1, m -> {
            Label l = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, l);
            m.visitInsn(ICONST_1);
            m.visitInsn(IRETURN);
            m.visitLabel(l);
            m.visitInsn(ICONST_2);
            m.visitInsn(IRETURN);
        });
        code("merge of unequal depths", "(I)V", 2, 1, m -> {
            Label l = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, l);
            m.visitInsn(ICONST_1);
            m.visitLabel(l);
            frame(m, F_SAME);
            m.visitInsn(RETURN);
        });
        code("array of wrong type", "([I)V", 3, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(LALOAD);
            m.visitInsn(POP2);
            m.visitInsn(RETURN);
        });
        code("aastore into ints", "([I)V", 3, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(AASTORE);
            m.visitInsn(RETURN);
        });
        code("throw a string", "()V", 1, 0, m -> {
            m.visitLdcInsn("x");
            m.visitInsn(ATHROW);
        });
        code("handler type", "()V", 1, 0, m -> {
            Label s = new Label(), e = new Label(), h = new Label();
            m.visitTryCatchBlock(s, e, h, "java/lang/String");
            m.visitLabel(s);
            m.visitInsn(NOP);
            m.visitLabel(e);
            m.visitInsn(RETURN);
            m.visitLabel(h);
            frame(m, F_SAME1, "java/lang/String");
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        code("private access", "(Ljava/lang/String;)Ljava/lang/Object;", 1, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitFieldInsn(GETFIELD, "java/lang/String", "value", "[B");
            m.visitInsn(ARETURN);
        });
        code("putfield wrong type", "(LX;)V", 2, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_1);
            m.visitFieldInsn(PUTFIELD, "X", "f", "Ljava/lang/String;");
            m.visitInsn(RETURN);
        });
        code("constructor call by virtual", "(Ljava/lang/Object;)V", 1, 1, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "<init>", "()V", false);
            m.visitInsn(RETURN);
        });
        for (int v : new int[] { V1_4, V17 }) {
            version = v;
            ClassWriter w = begin(version);
            MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
            m.visitCode();
            m.visitInsn(RETURN);
            m.visitMaxs(1, 1);
            load("no super constructor", w.toByteArray());
            w = begin(version);
            w.visitField(ACC_PUBLIC | ACC_PRIVATE, "f", "I", null, null);
            load("field flags", w.toByteArray());
            w = begin(version);
            w.visitField(ACC_PUBLIC, "f", "Q", null, null);
            load("field descriptor", w.toByteArray());
            w = begin(version);
            w.visitField(ACC_PUBLIC, "f", "I", null, null);
            w.visitField(ACC_PUBLIC, "f", "I", null, null);
            load("duplicate field", w.toByteArray());
            w = begin(version);
            w.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "()V", null, null);
            load("abstract method, concrete class", w.toByteArray());
            w = begin(version);
            w.visitMethod(ACC_PUBLIC, "m", "()V", null, null);
            load("no code", w.toByteArray());
            w = begin(version);
            w.visitMethod(ACC_PUBLIC | ACC_NATIVE | ACC_ABSTRACT, "m", "()V", null, null);
            load("method flags", w.toByteArray());
            w = begin(version);
            w.visitMethod(ACC_PUBLIC | ACC_NATIVE, "a.b", "()V", null, null);
            load("method name", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_SUPER, "Bad" + made++, null, "java/lang/String", null);
            load("final super", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_SUPER, "Bad" + made++, null, "java/lang/Runnable", null);
            load("interface as super", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_SUPER, "Bad" + made++, null, "java/lang/Object",
                new String[] { "java/lang/String" });
            load("class as interface", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_SUPER, "Bad" + made, null, "Bad" + made++, null);
            load("own super", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT, "Bad" + made++, null,
                "java/lang/Object", null);
            load("class flags", w.toByteArray());
            w = new ClassWriter(0);
            w.visit(version, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "Bad" + made++, null,
                "java/lang/String", null);
            load("interface with a super", w.toByteArray());
        }
        ClassWriter w = begin(V17);
        byte[] good = w.toByteArray();
        load("empty", new byte[0]);
        for (int cut : new int[] { 3, 7, 9, 12, good.length - 1 }) {
            load("cut at " + cut, java.util.Arrays.copyOf(good, cut));
        }
        load("extra bytes", java.util.Arrays.copyOf(good, good.length + 1));
        for (int[] patch : new int[][] { { 0, 1 }, { 7, 70 }, { 7, 44 }, { 5, 1 }, { 10, 2 },
                                         { 10, 99 }, { 9, 100 } }) {
            byte[] b = good.clone();
            b[patch[0]] = (byte) patch[1];
            load("byte " + patch[0] + "=" + patch[1], b);
        }
    }
}
