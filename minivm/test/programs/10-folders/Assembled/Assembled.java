/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 21
import java.util.function.Consumer;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

/* Instructions that javac never writes, or not in this order. */
public class Assembled {
    static int made;

    static Class<?> define(int version, int flags, Consumer<ClassWriter> body) {
        ClassWriter w = new ClassWriter(flags);
        String name = "Made" + made++;
        w.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", null);
        body.accept(w);
        w.visitEnd();
        byte[] b = w.toByteArray();
        return new ClassLoader(Assembled.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(name, b, 0, b.length);
            }
        }.define();
    }

    static Object run(String desc, Consumer<MethodVisitor> code, Object... args) {
        return run(V17, ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS, desc, code, args);
    }

    static Object run(int version, int flags, String desc, Consumer<MethodVisitor> code,
                      Object... args) {
        Class<?> c = define(version, flags, w -> {
            MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", desc, null, null);
            m.visitCode();
            code.accept(m);
            m.visitMaxs(40, 20);
            m.visitEnd();
        });
        try {
            for (var m : c.getMethods()) {
                if (m.getName().equals("m")) {
                    return m.invoke(null, args);
                }
            }
            throw new AssertionError();
        } catch (java.lang.reflect.InvocationTargetException e) {
            return e.getCause();
        } catch (Throwable t) {
            return t;
        }
    }

    static void push(MethodVisitor m, int... values) {
        for (int v : values) {
            m.visitLdcInsn(v);
        }
    }

    /* Pops n ints and mixes them, top first. */
    static void mix(MethodVisitor m, int n) {
        for (int i = 1; i < n; i++) {
            push(m, 31);
            m.visitInsn(IMUL);
            m.visitInsn(IADD);
        }
        m.visitInsn(IRETURN);
    }

    static void stackOps() {
        int[][] intForms = { { DUP, 1 }, { DUP_X1, 2 }, { DUP_X2, 3 }, { DUP2, 2 }, { DUP2_X1, 3 },
                             { DUP2_X2, 4 }, { SWAP, 2 }, { POP, 1 }, { POP2, 2 } };
        int[] grows = { 1, 1, 1, 2, 2, 2, 0, -1, -2 };
        for (int i = 0; i < intForms.length; i++) {
            int op = intForms[i][0], grow = grows[i];
            System.out.println(op + " " + run("()I", m -> {
                push(m, 3, 5, 7, 11, 13);
                m.visitInsn(op);
                mix(m, 5 + grow);
            }));
        }
        int[][] wide = { { DUP2, 0, 1 }, { DUP2_X1, 1, 1 }, { DUP2_X2, 2, 1 }, { DUP_X2, 3, 0 },
                         { DUP2_X2, 4, 1 }, { DUP2_X2, 5, 0 } };
        for (int[] f : wide) {
            System.out.println(f[0] + "w " + f[1] + " " + run("()J", m -> {
                m.visitLdcInsn(1000L);
                int total;
                switch (f[1]) {
                case 0:
                    m.visitLdcInsn(7L);
                    m.visitInsn(DUP2);
                    m.visitInsn(LADD);
                    m.visitInsn(LSUB);
                    break;
                case 1:
                    push(m, 5);
                    m.visitLdcInsn(7L);
                    m.visitInsn(DUP2_X1);
                    m.visitInsn(L2I);
                    m.visitInsn(IADD);
                    m.visitInsn(I2L);
                    m.visitInsn(LSUB);
                    m.visitInsn(LMUL);
                    break;
                case 2:
                    push(m, 5, 9);
                    m.visitLdcInsn(7L);
                    m.visitInsn(DUP2_X2);
                    m.visitInsn(L2I);
                    m.visitInsn(IMUL);
                    m.visitInsn(ISUB);
                    m.visitInsn(I2L);
                    m.visitInsn(LSUB);
                    m.visitInsn(LMUL);
                    break;
                case 3:
                    push(m, 5);
                    m.visitInsn(DUP_X2);
                    m.visitInsn(I2L);
                    m.visitInsn(LSUB);
                    m.visitInsn(DUP2);
                    m.visitInsn(LADD);
                    m.visitInsn(L2I);
                    m.visitInsn(ISUB);
                    m.visitInsn(I2L);
                    break;
                case 4:
                    m.visitLdcInsn(7L);
                    m.visitInsn(DUP2_X2);
                    m.visitInsn(LSUB);
                    m.visitInsn(LMUL);
                    break;
                default:
                    push(m, 5, 6);
                    m.visitInsn(DUP2_X2);
                    m.visitInsn(IMUL);
                    m.visitInsn(I2L);
                    m.visitInsn(LADD);
                    m.visitInsn(L2I);
                    m.visitInsn(ISUB);
                    m.visitInsn(ISUB);
                    m.visitInsn(I2L);
                    break;
                }
                m.visitInsn(LRETURN);
            }));
        }
    }

    static void subroutines() {
        System.out.println("jsr " + run(V1_4, 0, "(I)I", m -> {
            Label sub = new Label(), loop = new Label(), end = new Label();
            push(m, 0);
            m.visitVarInsn(ISTORE, 2);
            m.visitLabel(loop);
            m.visitJumpInsn(JSR, sub);
            m.visitIincInsn(0, -1);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFGT, loop);
            m.visitJumpInsn(GOTO, end);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 1);
            m.visitIincInsn(2, 10);
            m.visitVarInsn(RET, 1);
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 2);
            m.visitInsn(IRETURN);
        }, 5));
        System.out.println("nested jsr " + run(V1_4, 0, "()I", m -> {
            Label outer = new Label(), inner = new Label();
            push(m, 1);
            m.visitVarInsn(ISTORE, 0);
            m.visitJumpInsn(JSR, outer);
            m.visitJumpInsn(JSR, outer);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
            m.visitLabel(outer);
            m.visitVarInsn(ASTORE, 1);
            m.visitIincInsn(0, 100);
            m.visitJumpInsn(JSR, inner);
            m.visitVarInsn(RET, 1);
            m.visitLabel(inner);
            m.visitVarInsn(ASTORE, 2);
            m.visitIincInsn(0, 7);
            m.visitVarInsn(RET, 2);
        }));
        System.out.println("jsr in 51 " + (run(V1_7, ClassWriter.COMPUTE_MAXS, "()I", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitLabel(sub);
            push(m, 1);
            m.visitInsn(IRETURN);
        }) instanceof VerifyError));
    }

    static void constants() {
        String b = "java/lang/invoke/ConstantBootstraps";
        String lookup = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
            + "Ljava/lang/Class;";
        System.out.println(run("()Ljava/lang/Object;", m -> {
            m.visitLdcInsn(new ConstantDynamic("n", "Ljava/lang/Object;", new Handle(H_INVOKESTATIC, b,
                "nullConstant", lookup + ")Ljava/lang/Object;", false)));
            m.visitInsn(ARETURN);
        }));
        Handle own = new Handle(H_INVOKESTATIC, "Assembled", "bootstrap",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;"
            + "[Ljava/lang/Object;)Ljava/lang/Object;", false);
        ConstantDynamic inner = new ConstantDynamic("inner", "I", own, 20);
        System.out.println(run("()I", m -> {
            m.visitLdcInsn(inner);
            m.visitLdcInsn(inner);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        }) + " " + bootstraps);
        System.out.println(run("()J", m -> {
            m.visitLdcInsn(new ConstantDynamic("wide", "J", own, 5L, inner, "text", Type.getType("Ljava/util/List;")));
            m.visitInsn(LRETURN);
        }));
        System.out.println(run("()Ljava/lang/Object;", m -> {
            m.visitLdcInsn(new ConstantDynamic("fails", "Ljava/lang/String;", own));
            m.visitInsn(ARETURN);
        }));
        System.out.println(run("()Ljava/lang/Object;", m -> {
            m.visitLdcInsn(Type.getMethodType("(IJ[Ljava/lang/String;)V"));
            m.visitInsn(ARETURN);
        }));
        System.out.println(run("()I", m -> {
            m.visitLdcInsn(new Handle(H_INVOKESTATIC, "java/lang/Math", "abs", "(I)I", false));
            push(m, -9);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", "(I)I",
                false);
            m.visitInsn(IRETURN);
        }));
        Handle site = new Handle(H_INVOKESTATIC, "Assembled", "site",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
            + "Ljava/lang/String;JD)Ljava/lang/invoke/CallSite;", false);
        System.out.println(run("()Ljava/lang/Object;", m -> {
            push(m, 4);
            m.visitInvokeDynamicInsn("add", "(I)Ljava/lang/Object;", site, "static", 5L, 2.5);
            m.visitInsn(ARETURN);
        }));
        System.out.println(run("()Ljava/lang/Object;", m -> {
            m.visitInvokeDynamicInsn("fails", "()Ljava/lang/Object;", site, "x", 5L, 2.5);
            m.visitInsn(ARETURN);
        }));
    }

    static int bootstraps;

    public static Object bootstrap(java.lang.invoke.MethodHandles.Lookup l, String name, Class<?> type,
                                   Object... args) throws Exception {
        bootstraps++;
        switch (name) {
        case "inner":
            return args[0];
        case "wide":
            return (Long) args[0] * (Integer) args[1] + args.length;
        default:
            throw new Exception("bootstrap of " + name);
        }
    }

    public static String add(String s, long a, double b, int c) {
        return s + a + b + c;
    }

    public static java.lang.invoke.CallSite site(java.lang.invoke.MethodHandles.Lookup l, String name,
            java.lang.invoke.MethodType t, String s, long a, double b) throws Exception {
        return new java.lang.invoke.ConstantCallSite(java.lang.invoke.MethodHandles.insertArguments(
            java.lang.invoke.MethodHandles.lookup().findStatic(Assembled.class, name,
                java.lang.invoke.MethodType.methodType(String.class, String.class, long.class,
                    double.class, int.class)), 0, s, a, b).asType(t));
    }

    static void odd() {
        System.out.println("wide iinc " + run("()I", m -> {
            push(m, 1);
            m.visitVarInsn(ISTORE, 300);
            m.visitIincInsn(300, -30000);
            m.visitIincInsn(300, 300);
            m.visitVarInsn(ILOAD, 300);
            m.visitInsn(IRETURN);
        }));
        System.out.println("booleans " + run("()Z", m -> {
            push(m, 2);
            m.visitInsn(IRETURN);
        }) + " " + run("()B", m -> {
            push(m, 300);
            m.visitInsn(IRETURN);
        }) + " " + run("()I", m -> {
            push(m, 1);
            m.visitIntInsn(NEWARRAY, T_BOOLEAN);
            m.visitInsn(DUP);
            push(m, 0, 3);
            m.visitInsn(BASTORE);
            push(m, 0);
            m.visitInsn(BALOAD);
            m.visitInsn(IRETURN);
        }));
        System.out.println("unbalanced " + run("(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(MONITORENTER);
            push(m, 1);
            m.visitInsn(IRETURN);
        }, new Object()) + " " + run("(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(MONITOREXIT);
            push(m, 1);
            m.visitInsn(IRETURN);
        }, new Object()));
        System.out.println("multi " + run("()I", m -> {
            push(m, 2, 3, 4);
            m.visitMultiANewArrayInsn("[[[[D", 2);
            m.visitInsn(ARRAYLENGTH);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        }));
        System.out.println("backwards handler " + run("()I", m -> {
            Label start = new Label(), end = new Label(), handler = new Label(), go = new Label();
            m.visitJumpInsn(GOTO, go);
            m.visitLabel(handler);
            m.visitInsn(POP);
            push(m, 55);
            m.visitInsn(IRETURN);
            m.visitLabel(go);
            m.visitTryCatchBlock(start, end, handler, null);
            m.visitLabel(start);
            push(m, 1, 0);
            m.visitInsn(IDIV);
            m.visitLabel(end);
            m.visitInsn(IRETURN);
        }));
        System.out.println("lookupswitch " + run("(I)I", m -> {
            Label a = new Label(), b = new Label(), d = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitLookupSwitchInsn(d, new int[] { Integer.MIN_VALUE, 0 }, new Label[] { a, b });
            m.visitLabel(a);
            push(m, 1);
            m.visitInsn(IRETURN);
            m.visitLabel(b);
            push(m, 2);
            m.visitInsn(IRETURN);
            m.visitLabel(d);
            push(m, 3);
            m.visitInsn(IRETURN);
        }, 0));
        System.out.println("uninitialized jump " + run("(I)Ljava/lang/Object;", m -> {
            Label a = new Label(), b = new Label();
            m.visitTypeInsn(NEW, "java/lang/StringBuilder");
            m.visitInsn(DUP);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, a);
            m.visitLdcInsn("yes");
            m.visitJumpInsn(GOTO, b);
            m.visitLabel(a);
            m.visitLdcInsn("no");
            m.visitLabel(b);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/StringBuilder", "<init>",
                "(Ljava/lang/String;)V", false);
            m.visitInsn(ARETURN);
        }, 1));
        System.out.println("dead code " + run(V1_5, ClassWriter.COMPUTE_MAXS, "()I", m -> {
            push(m, 1);
            m.visitInsn(IRETURN);
            push(m, 2);
            m.visitInsn(IRETURN);
        }));
    }

    public static void main(String[] args) {
        stackOps();
        subroutines();
        constants();
        odd();
    }
}
