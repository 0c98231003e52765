/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 21
/* Methods with up to 65,535 locals and operands. */
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

public class FarFrames extends ClassLoader implements Opcodes {
    static final int MAX = 65535;

    public int number = 3;
    public volatile long wide = 5000000000L;
    public static String text = "static";
    public static volatile double ratio = 0.5;

    public FarFrames() {
        super(FarFrames.class.getClassLoader());
    }

    /* ---- what the assembled methods call ---- */

    public interface Shape {
        int sides(int more);
    }

    public static class Square implements Shape {
        final int base;

        public Square(int base) {
            this.base = base;
        }

        public int sides(int more) {
            return base + more;
        }

        public long area(long a, double b) {
            return (long)(a * b) + base;
        }
    }

    public static int add(int a, long b, Object c, double d) {
        System.gc();
        return a + (int)b + c.hashCode() + (int)d;
    }

    public static void fail(int code) {
        throw new IllegalStateException("code " + code);
    }

    public static void show(Object o) {
        System.out.println(o);
    }

    public static void show(int i) {
        System.out.println(i);
    }

    public static void show(long l) {
        System.out.println(l);
    }

    public static void show(double d) {
        System.out.println(d);
    }

    public static int deep(int depth) {
        return depth == 0 ? Thread.currentThread().getStackTrace().length & 1 : deep(depth - 1);
    }

    /* ---- assembling ---- */

    static final String ME = "FarFrames";

    final ClassWriter w = new ClassWriter(0);
    MethodVisitor m;

    void begin(int version, String name) {
        w.visit(version, ACC_PUBLIC, name, null, "java/lang/Object", null);
    }

    void method(int access, String name, String type) {
        m = w.visitMethod(ACC_PUBLIC | ACC_STATIC | access, name, type, null, null);
        m.visitCode();
    }

    void end(int stack, int locals) {
        m.visitMaxs(stack, locals);
        m.visitEnd();
    }

    /** Puts that many slots on the operand stack. */
    void fill(int slots) {
        for (int i = 0; i < slots / 2; i++)
            m.visitInsn(LCONST_1);
        if (slots % 2 != 0)
            m.visitInsn(ICONST_3);
    }

    void show(String type) {
        m.visitMethodInsn(INVOKESTATIC, ME, "show", "(" + type + ")V", false);
    }

    void push(int i) {
        m.visitLdcInsn(i);
    }

    /** Locals of all kinds around slot at, which are read, written and incremented. */
    void locals(int at) {
        push(at);
        m.visitVarInsn(ISTORE, at);
        m.visitIincInsn(at, 1000);
        m.visitIincInsn(at, -1);
        m.visitVarInsn(ILOAD, at);
        show("I");
        m.visitLdcInsn(at * 10000000000L);
        m.visitVarInsn(LSTORE, at + 1);
        m.visitVarInsn(LLOAD, at + 1);
        m.visitVarInsn(ILOAD, at);
        m.visitInsn(I2L);
        m.visitInsn(LADD);
        show("J");
        m.visitLdcInsn(at + 0.25);
        m.visitVarInsn(DSTORE, at + 3);
        m.visitLdcInsn(at + 0.5f);
        m.visitVarInsn(FSTORE, at + 5);
        m.visitVarInsn(DLOAD, at + 3);
        m.visitVarInsn(FLOAD, at + 5);
        m.visitInsn(F2D);
        m.visitInsn(DMUL);
        show("D");
        m.visitLdcInsn("text " + at);
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "toUpperCase",
                          "()Ljava/lang/String;", false);
        m.visitVarInsn(ASTORE, at + 6);
        m.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
        m.visitVarInsn(ALOAD, at + 6);
        show("Ljava/lang/Object;");
    }

    void makeLocals() {
        int[] places = { 10, 32740, 32747, 32755, 32763, 32770, 40000, MAX - 7 };

        method(0, "locals", "(IJLjava/lang/Object;D)D");
        for (int at : places)
            locals(at);
        for (int at : places) { // they live on
            m.visitVarInsn(ALOAD, at + 6);
            show("Ljava/lang/Object;");
            m.visitVarInsn(ILOAD, at);
            show("I");
        }
        m.visitVarInsn(ILOAD, 0);
        m.visitInsn(I2L);
        m.visitVarInsn(LLOAD, 1);
        m.visitInsn(LADD);
        m.visitInsn(L2D);
        m.visitVarInsn(DLOAD, 4);
        m.visitInsn(DADD);
        m.visitVarInsn(ALOAD, 3);
        show("Ljava/lang/Object;");
        m.visitInsn(DRETURN);
        end(8, MAX);
    }

    void call(int opcode, String holder, String name, String type) {
        m.visitMethodInsn(opcode, holder, name, type, opcode == INVOKEINTERFACE);
    }

    /** Instructions of all kinds above that many slots; the stack ends as it began. */
    void operands(int depth) {
        String square = "FarFrames$Square";

        fill(depth);
        push(7);
        push(5);
        m.visitInsn(SWAP);
        m.visitInsn(ISUB);
        show("I");
        push(1);
        push(2);
        m.visitInsn(DUP_X1);
        m.visitInsn(IADD);
        m.visitInsn(IMUL);
        show("I");
        m.visitLdcInsn(11L);
        push(3);
        m.visitInsn(LSHL);
        m.visitInsn(DUP2);
        m.visitInsn(LMUL);
        m.visitInsn(LNEG);
        show("J");
        push(4);
        m.visitIntInsn(NEWARRAY, T_INT);
        m.visitInsn(DUP);
        push(2);
        push(42);
        m.visitInsn(IASTORE);
        m.visitInsn(DUP);
        push(2);
        m.visitInsn(IALOAD);
        m.visitInsn(SWAP);
        m.visitInsn(ARRAYLENGTH);
        m.visitInsn(IADD);
        show("I");
        push(2);
        push(3);
        m.visitMultiANewArrayInsn("[[J", 2);
        push(1);
        m.visitInsn(AALOAD);
        m.visitInsn(DUP);
        push(0);
        m.visitLdcInsn(99L);
        m.visitInsn(LASTORE);
        push(0);
        m.visitInsn(LALOAD);
        show("J");
        m.visitTypeInsn(NEW, square);
        m.visitInsn(DUP);
        push(4);
        call(INVOKESPECIAL, square, "<init>", "(I)V");
        m.visitInsn(DUP);
        m.visitTypeInsn(INSTANCEOF, "java/util/List");
        show("I");
        m.visitInsn(DUP);
        push(10);
        call(INVOKEINTERFACE, "FarFrames$Shape", "sides", "(I)I");
        show("I");
        m.visitLdcInsn(6L);
        m.visitLdcInsn(1.5);
        call(INVOKEVIRTUAL, square, "area", "(JD)J");
        show("J");
        push(1);
        m.visitLdcInsn(2L);
        m.visitLdcInsn("c");
        m.visitLdcInsn(3.5);
        call(INVOKESTATIC, ME, "add", "(IJLjava/lang/Object;D)I");
        show("I");
        push(12);
        m.visitInvokeDynamicInsn("makeConcatWithConstants", "(I)Ljava/lang/String;",
            new Handle(H_INVOKESTATIC, "java/lang/invoke/StringConcatFactory",
                       "makeConcatWithConstants", "(Ljava/lang/invoke/MethodHandles$Lookup;"
                       + "Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;"
                       + "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;", false), "<\1>");
        m.visitTypeInsn(CHECKCAST, "java/lang/CharSequence");
        show("Ljava/lang/Object;");
        m.visitTypeInsn(NEW, ME);
        m.visitInsn(DUP);
        call(INVOKESPECIAL, ME, "<init>", "()V");
        m.visitInsn(DUP);
        push(8);
        m.visitFieldInsn(PUTFIELD, ME, "number", "I");
        m.visitInsn(DUP);
        m.visitFieldInsn(GETFIELD, ME, "wide", "J");
        show("J");
        m.visitFieldInsn(GETFIELD, ME, "number", "I");
        show("I");
        m.visitLdcInsn("changed " + depth);
        m.visitFieldInsn(PUTSTATIC, ME, "text", "Ljava/lang/String;");
        m.visitFieldInsn(GETSTATIC, ME, "text", "Ljava/lang/String;");
        show("Ljava/lang/Object;");
        m.visitFieldInsn(GETSTATIC, ME, "ratio", "D");
        m.visitInsn(DUP2);
        m.visitInsn(DADD);
        m.visitFieldInsn(PUTSTATIC, ME, "ratio", "D");
        m.visitFieldInsn(GETSTATIC, ME, "ratio", "D");
        show("D");
        m.visitLdcInsn(Type.getObjectType(ME));
        m.visitInsn(DUP);
        m.visitInsn(MONITORENTER);
        m.visitInsn(DUP);
        call(INVOKESTATIC, "java/lang/Thread", "holdsLock", "(Ljava/lang/Object;)Z");
        show("I");
        m.visitInsn(MONITOREXIT);
        push(60);
        call(INVOKESTATIC, ME, "deep", "(I)I");
        m.visitInsn(POP);
    }

    void makeOperands() {
        for (int depth : new int[] { 0, 1, 32730, 32745, 32752, 32766, MAX - 8 }) {
            method(0, "operands" + depth, "()V");
            operands(depth);
            m.visitInsn(RETURN);
            end(depth + 8, depth % 2 == 0 ? 0 : MAX);
        }
    }

    /** Loops and switches are of version 49, which needs no stack maps. */
    void makeFlow(int depth, int locals) {
        Label loop = new Label(), end = new Label(), one = new Label(), other = new Label();
        Label start = new Label(), handler = new Label(), sub = new Label(), on = new Label();
        int i = locals - 1, sum = locals - 3, ret = locals - 4, caught = locals - 5;

        method(ACC_SYNCHRONIZED, "flow" + depth, "(I)J");
        push(0);
        m.visitVarInsn(ISTORE, i);
        m.visitInsn(LCONST_0);
        m.visitVarInsn(LSTORE, sum);
        fill(depth);
        m.visitLabel(loop);
        m.visitVarInsn(ILOAD, i);
        m.visitVarInsn(ILOAD, 0);
        m.visitJumpInsn(IF_ICMPGE, end);
        m.visitVarInsn(ILOAD, i);
        m.visitInsn(ICONST_3);
        m.visitInsn(IREM);
        m.visitTableSwitchInsn(0, 1, other, one, other);
        m.visitLabel(one);
        m.visitVarInsn(LLOAD, sum);
        m.visitVarInsn(ILOAD, i);
        m.visitInsn(I2L);
        m.visitInsn(LADD);
        m.visitVarInsn(LSTORE, sum);
        m.visitLabel(other);
        m.visitJumpInsn(JSR, sub);
        m.visitIincInsn(i, 1);
        m.visitJumpInsn(GOTO, loop);
        m.visitLabel(end);
        m.visitLabel(start);
        push(5);
        call(INVOKESTATIC, ME, "fail", "(I)V");
        m.visitVarInsn(LLOAD, sum);
        m.visitInsn(LRETURN);
        m.visitLabel(handler);
        m.visitVarInsn(ASTORE, caught);
        m.visitVarInsn(ALOAD, caught);
        call(INVOKEVIRTUAL, "java/lang/Throwable", "getMessage", "()Ljava/lang/String;");
        show("Ljava/lang/Object;");
        m.visitVarInsn(LLOAD, sum);
        m.visitInsn(LRETURN);
        m.visitLabel(sub);
        m.visitVarInsn(ASTORE, ret);
        m.visitVarInsn(LLOAD, sum);
        m.visitInsn(LCONST_1);
        m.visitInsn(LADD);
        m.visitVarInsn(LSTORE, sum);
        m.visitVarInsn(RET, ret);
        m.visitTryCatchBlock(start, handler, handler, "java/lang/RuntimeException");
        end(depth + 6, locals);
    }

    void makeReturns() {
        String[] types = { "I", "J", "F", "D", "Ljava/lang/Object;", "Z", "B", "C", "S" };
        int[] ops = { IRETURN, LRETURN, FRETURN, DRETURN, ARETURN, IRETURN, IRETURN, IRETURN,
                      IRETURN };

        for (int i = 0; i < types.length; i++)
            for (int synchronize = 0; synchronize < 2; synchronize++) {
                method(synchronize == 0 ? 0 : ACC_SYNCHRONIZED, "return" + synchronize + i,
                       "(" + types[i] + ")" + types[i]);
                fill(40000);
                m.visitVarInsn(Type.getType(types[i]).getOpcode(ILOAD), 0);
                m.visitInsn(ops[i]);
                end(40002, 50000);
            }
    }

    void makeThrows() {
        method(0, "nulls", "(Ljava/lang/String;)V");
        fill(40000);
        m.visitVarInsn(ALOAD, 0);
        call(INVOKEVIRTUAL, "java/lang/String", "length", "()I");
        m.visitInsn(POP);
        m.visitInsn(RETURN);
        end(40002, 40000);
        method(0, "bounds", "([II)I");
        fill(40000);
        m.visitVarInsn(ALOAD, 0);
        m.visitVarInsn(ILOAD, 1);
        m.visitInsn(IALOAD);
        m.visitInsn(IRETURN);
        end(40002, 40000);
        method(0, "divide", "(J)J");
        m.visitVarInsn(LLOAD, 0);
        m.visitVarInsn(LSTORE, 65533);
        m.visitLdcInsn(100L);
        m.visitVarInsn(LLOAD, 65533);
        m.visitInsn(LDIV);
        m.visitInsn(LRETURN);
        end(4, MAX);
        method(0, "cast", "(Ljava/lang/Object;)V");
        fill(33000);
        m.visitVarInsn(ALOAD, 0);
        m.visitTypeInsn(CHECKCAST, "java/util/List");
        m.visitInsn(POP);
        m.visitInsn(RETURN);
        end(33001, 1);
        method(0, "raise", "(Ljava/lang/Throwable;)V");
        fill(33000);
        m.visitVarInsn(ALOAD, 0);
        m.visitInsn(ATHROW);
        end(33001, 1);
        method(0, "endless", "(I)V");
        m.visitVarInsn(ILOAD, 0);
        m.visitInsn(ICONST_1);
        m.visitInsn(IADD);
        call(INVOKESTATIC, "Far", "endless", "(I)V");
        m.visitInsn(RETURN);
        end(MAX, MAX);
    }

    Class<?> define(String name) {
        w.visitEnd();
        byte[] file = w.toByteArray();
        return defineClass(name, file, 0, file.length);
    }

    /* ---- running ---- */

    static void run(Class<?> c, String name, Object... arguments) {
        for (java.lang.reflect.Method method : c.getMethods())
            if (method.getName().equals(name))
                try {
                    System.out.println(name + " " + method.invoke(null, arguments));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(name + " " + e.getCause() + " at "
                        + (e.getCause().getStackTrace().length > 0));
                } catch (ReflectiveOperationException e) {
                    System.out.println(name + " " + e);
                }
    }

    static void runAll() {
        FarFrames far = new FarFrames(), flow = new FarFrames();

        far.begin(V17, "Far");
        far.makeLocals();
        far.makeOperands();
        far.makeReturns();
        far.makeThrows();
        Class<?> c = far.define("Far");
        run(c, "locals", 5, 1000000000000L, List.of("a"), 0.125);
        for (int depth : new int[] { 0, 1, 32730, 32745, 32752, 32766, MAX - 8 })
            run(c, "operands" + depth);
        Object[] values = { -7, -8L, 1.5f, -2.5, "object", true, (byte)-3, 'x', (short)-300 };
        for (int i = 0; i < values.length; i++) {
            run(c, "return0" + i, values[i]);
            run(c, "return1" + i, values[i]);
        }
        run(c, "nulls", (Object)null);
        run(c, "bounds", new int[3], 3);
        run(c, "bounds", new int[] { 4, 5, 6 }, 2);
        run(c, "divide", 0L);
        run(c, "divide", 7L);
        run(c, "cast", "no list");
        run(c, "raise", new java.io.IOException("raised"));
        run(c, "endless", 0);
        flow.begin(V1_5, "Flow");
        flow.makeFlow(0, MAX);
        flow.makeFlow(40000, MAX);
        flow.makeFlow(MAX - 6, 100);
        flow.makeFlow(MAX - 7, MAX);
        c = flow.define("Flow");
        for (int depth : new int[] { 0, 40000, MAX - 6, MAX - 7 })
            run(c, "flow" + depth, 10);
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(null, FarFrames::runAll, "large", 16 << 20);

        t.start();
        t.join();
        /* The frame alone is larger than this thread's stack. */
        FarFrames far = new FarFrames();
        far.begin(V17, "Far");
        far.makeThrows();
        Class<?> c = far.define("Far");
        t = new Thread(null, () -> run(c, "endless", 0), "small", 200 << 10);
        t.start();
        t.join();
    }
}
