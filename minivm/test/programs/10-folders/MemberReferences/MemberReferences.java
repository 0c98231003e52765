/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 21
/* Method handle constants of each kind (JVMS 5.4.3.5) and the instructions that they stand
   for (6.5), with members of every shape: which classes are loaded for them, in which
   order, and what is thrown. */
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

public class MemberReferences extends ClassLoader implements Opcodes {
    static final List<String> loaded = new ArrayList<>();
    static final Map<String, byte[]> files = new HashMap<>();

    MemberReferences() {
        super(MemberReferences.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] file = files.get(name);

        loaded.add(file == null ? name + "?" : name);
        if (file == null)
            throw new ClassNotFoundException(name);
        return defineClass(name, file, 0, file.length);
    }

    static ClassWriter begin(int access, String name, String superName,
                             String... interfaces) {
        ClassWriter w = new ClassWriter(0);

        w.visit(V17, access, name, null, superName, interfaces);
        return w;
    }

    static void method(ClassWriter w, int access, String name, String descriptor) {
        MethodVisitor m = w.visitMethod(access, name, descriptor, null, null);

        if ((access & ACC_ABSTRACT) == 0) {
            m.visitCode();
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ATHROW);
            m.visitMaxs(1, Type.getArgumentsAndReturnSizes(descriptor) >> 2);
        }
        m.visitEnd();
    }

    static void end(ClassWriter w, String name) {
        w.visitEnd();
        files.put(name.replace('/', '.'), w.toByteArray());
    }

    static final String[] ACCESS = { "public", "protected", "package", "private" };
    static final int[] FLAGS = { ACC_PUBLIC, ACC_PROTECTED, 0, ACC_PRIVATE };

    static void members(ClassWriter w, boolean isInterface, String mark) {
        for (int i = 0; i < 4; i++) {
            if (isInterface && i != 0 && i != 3)
                continue;
            method(w, FLAGS[i] | ACC_STATIC, mark + ACCESS[i] + "Static", "()V");
            method(w, FLAGS[i], mark + ACCESS[i] + "Virtual", "()V");
            if (isInterface)
                continue;
            w.visitField(FLAGS[i] | ACC_STATIC, mark + ACCESS[i] + "StaticF", "I", null, null);
            w.visitField(FLAGS[i], mark + ACCESS[i] + "F", "I", null, null);
        }
        if (isInterface) {
            w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, mark + "FinalStaticF", "I",
                         null, null);
        } else {
            w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, mark + "FinalStaticF", "I",
                         null, null);
            w.visitField(ACC_PUBLIC | ACC_FINAL, mark + "FinalF", "I", null, null);
            w.visitField(ACC_PUBLIC, mark + "TypedF", "LArgument;", null, null);
            w.visitField(ACC_PUBLIC, mark + "LostF", "LLost;", null, null);
        }
        method(w, ACC_PUBLIC | ACC_STATIC, mark + "typedStatic", "(LArgument;)LResult;");
        method(w, ACC_PUBLIC, mark + "typedVirtual", "(LArgument;)LResult;");
        method(w, ACC_PUBLIC | ACC_STATIC, mark + "lostStatic", "(LLost;)V");
        method(w, ACC_PUBLIC, mark + "lostVirtual", "(LLost;)V");
    }

    static void makeClasses() {
        ClassWriter w;

        for (String name : new String[] { "Base", "other/Base" }) {
            w = begin(ACC_PUBLIC, name, "java/lang/Object");
            for (int i = 0; i < 4; i++)
                method(w, FLAGS[i], "<init>", "(" + "IJFD".charAt(i) + ")V");
            method(w, ACC_PUBLIC, "<init>", "(LLost;)V");
            method(w, ACC_PUBLIC, "<init>", "(LArgument;)V");
            method(w, ACC_PUBLIC, "<init>", "()V");
            members(w, false, "b");
            end(w, name);
        }
        w = begin(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "Face", "java/lang/Object");
        members(w, true, "f");
        method(w, ACC_PUBLIC | ACC_ABSTRACT, "fAbstract", "()V");
        end(w, "Face");
        w = begin(ACC_PUBLIC, "Argument", "java/lang/Object");
        end(w, "Argument");
        w = begin(ACC_PUBLIC, "Result", "java/lang/Object");
        end(w, "Result");
        w = begin(0, "other/Hidden", "java/lang/Object");
        members(w, false, "b");
        end(w, "other/Hidden");
        w = begin(ACC_PUBLIC | ACC_ABSTRACT, "Shape", "Base", "Face");
        method(w, ACC_PUBLIC, "<init>", "(S)V");
        method(w, ACC_PUBLIC | ACC_ABSTRACT, "sAbstract", "()V");
        end(w, "Shape");
        w = begin(ACC_PUBLIC, "Derived", "Base", "Face");
        method(w, ACC_PUBLIC, "<init>", "()V");
        end(w, "Derived");
        w = begin(ACC_PUBLIC, "other/Derived", "other/Base");
        method(w, ACC_PUBLIC, "<init>", "()V");
        end(w, "other/Derived");
    }

    static String describe(Throwable t) {
        StringBuilder b = new StringBuilder();

        for (Throwable at = t; at != null; at = at.getCause()) {
            b.append(at == t ? "" : " <- ").append(at.toString().replaceAll("@[0-9a-f]+", "@"));
            StackTraceElement[] trace = at.getStackTrace();
            for (int i = 0; i < trace.length && i < 6; i++) {
                if (trace[i].getClassName().startsWith("MemberReferences"))
                    break;
                b.append("|").append(trace[i].getMethodName());
            }
        }
        return b.toString();
    }

    static void push(MethodVisitor m, Type t) {
        switch (t.getSort()) {
        case Type.LONG:
            m.visitInsn(LCONST_0);
            break;
        case Type.FLOAT:
            m.visitInsn(FCONST_0);
            break;
        case Type.DOUBLE:
            m.visitInsn(DCONST_0);
            break;
        case Type.OBJECT:
        case Type.ARRAY:
            m.visitInsn(ACONST_NULL);
            break;
        default:
            m.visitInsn(ICONST_0);
            break;
        }
    }

    /** By kind of handle. */
    static final int[] OPS = { 0, GETFIELD, GETSTATIC, PUTFIELD, PUTSTATIC, INVOKEVIRTUAL,
                               INVOKESTATIC, INVOKESPECIAL, INVOKESPECIAL, INVOKEINTERFACE };

    static void instruction(MethodVisitor m, int kind, String holder, String name,
                            String descriptor, boolean isInterface) {
        int op = OPS[kind];

        if (kind == 8) {
            m.visitTypeInsn(NEW, holder);
            m.visitInsn(DUP);
        } else if (op != GETSTATIC && op != PUTSTATIC && op != INVOKESTATIC) {
            m.visitInsn(ACONST_NULL);
        }
        if (kind > 4) {
            for (Type t : Type.getArgumentTypes(descriptor))
                push(m, t);
            m.visitMethodInsn(op, holder, name, descriptor, isInterface);
        } else {
            if (kind >= 3)
                push(m, Type.getType(descriptor));
            m.visitFieldInsn(op, holder, name, descriptor);
        }
        m.visitInsn(ACONST_NULL);
    }

    /** The instruction, or the constant, in a class of that superclass, twice. */
    static void probe(boolean isConstant, String superName, int kind, String holder,
                      String name, String descriptor, boolean isInterface) {
        MemberReferences loader = new MemberReferences();
        String probe = superName.startsWith("other") ? "other/Probe" : "Probe";
        ClassWriter w = begin(ACC_PUBLIC, probe, superName, superName.startsWith("other")
                              ? new String[0] : new String[] { "Face" });
        MethodVisitor m =
            w.visitMethod(ACC_PUBLIC | ACC_STATIC, "get", "()Ljava/lang/Object;", null, null);

        m.visitCode();
        if (isConstant)
            m.visitLdcInsn(new Handle(kind, holder, name, descriptor, isInterface));
        else
            instruction(m, kind, holder, name, descriptor, isInterface);
        m.visitInsn(ARETURN);
        m.visitMaxs(8, 0);
        m.visitEnd();
        end(w, probe);
        System.out.print((isConstant ? "ldc " : "") + superName + " " + kind + " " + holder
                         + (isInterface ? "[I]." : ".") + name + descriptor + ": ");
        try {
            /* Which of a class and its interface comes first is not the matter here. */
            for (String early : new String[] { "Base", "Face", "other.Base" })
                loader.loadClass(early);
            var get = loader.loadClass(probe.replace('/', '.')).getMethod("get");
            for (int i = 0; i < 2; i++) {
                loaded.clear();
                try {
                    System.out.println(get.invoke(null) + " " + loaded);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(describe(e.getCause()) + " " + loaded);
                }
            }
        } catch (Throwable t) {
            System.out.println(t.toString().split("\n")[0] + " " + loaded);
        }
    }

    static void probes(String superName, int kind, String holder, String name,
                       String descriptor, boolean isInterface) {
        probe(true, superName, kind, holder, name, descriptor, isInterface);
        probe(false, superName, kind, holder, name, descriptor, isInterface);
    }

    /** What is looked for in a class: names and descriptors. */
    static List<String> wanted(int kind) {
        List<String> names = new ArrayList<>();
        boolean isField = kind <= 4;

        if (kind == 8) {
            for (String type : "I J F D S LLost; LArgument; Lother/Hidden; Z".split(" "))
                names.add("<init> (" + type + ")V");
            names.add("<init> ()V");
            return names;
        }
        for (String access : ACCESS)
            for (String mark : new String[] { "b", "f" }) {
                if (mark.equals("f") && access.equals("protected"))
                    continue;
                if (isField)
                    Collections.addAll(names, mark + access + "StaticF I",
                                       mark + access + "F I");
                else
                    Collections.addAll(names, mark + access + "Static ()V",
                                       mark + access + "Virtual ()V");
            }
        if (isField)
            Collections.addAll(names, "bFinalStaticF I", "fFinalStaticF I", "bFinalF I",
                               "bTypedF LArgument;", "bLostF LLost;", "none I",
                               "none LArgument;", "none LLost;", "none Lother/Hidden;");
        else
            Collections.addAll(names, "btypedStatic (LArgument;)LResult;",
                               "btypedVirtual (LArgument;)LResult;",
                               "ftypedStatic (LArgument;)LResult;",
                               "ftypedVirtual (LArgument;)LResult;",
                               "blostStatic (LLost;)V", "flostVirtual (LLost;)V",
                               "fAbstract ()V", "sAbstract ()V", "none ()V",
                               "none (LArgument;)LResult;", "none (LArgument;)LLost;",
                               "none (Lother/Hidden;)V", "clone ()Ljava/lang/Object;",
                               "hashCode ()I", "finalize ()V");
        return names;
    }

    /** A class that does not implement a method of its interface gets one in the JDK's VM,
        if the interface has default methods. */
    static boolean isFilledIn(int kind, String holder, String name) {
        return name.equals("fAbstract") && !holder.equals("Face")
               && (kind == 6 || kind == 7);
    }

    public static void main(String[] args) {
        makeClasses();
        for (int kind = 1; kind <= 9; kind++)
            for (String holder : new String[] { "Base", "Derived", "Shape", "Probe", "Face",
                                                "other/Base", "other/Hidden", "Lost", "[I" })
                for (String name : wanted(kind)) {
                    String[] parts = name.split(" ");
                    boolean isPlain = holder.equals("Base") || holder.equals("other/Base");
                    if (isFilledIn(kind, holder, parts[0])
                        || (!isPlain && name.matches(".(protected|package).*")))
                        continue;
                    boolean isEither = kind == 6 || kind == 7 || kind == 9;
                    for (int itf = 0; itf < (isEither ? 2 : 1); itf++) {
                        probes("Derived", kind, holder, parts[0], parts[1], itf == 1);
                        if (isPlain)
                            probes("other/Derived", kind, holder, parts[0], parts[1],
                                   itf == 1);
                    }
                }
        for (String m : new String[] {
                 "MethodHandle invokeExact (I)V", "MethodHandle invoke (LArgument;)V",
                 "MethodHandle invoke (LLost;)V", "VarHandle get (I)V",
                 "VarHandle compareAndSet (II)Z", "MethodHandle linkToStatic (I)V",
                 "MethodHandle invokeBasic (I)V", "MethodHandle none (I)V" }) {
            String[] parts = m.split(" ");
            probes("Derived", H_INVOKEVIRTUAL, "java/lang/invoke/" + parts[0], parts[1],
                   parts[2], false);
            probes("Derived", H_INVOKEVIRTUAL, "java/lang/invoke/" + parts[0], parts[1],
                   parts[2], true);
        }
        for (int i = 0; i < 2; i++)
            findPublicly(new MemberReferences());
    }

    static final List<ClassLoader> kept = new ArrayList<>();

    /** A public lookup holds no loader to what it finds: each has its own Argument. */
    static void findPublicly(ClassLoader loader) {
        kept.add(loader);
        try {
            Class<?> base = loader.loadClass("Base"), argument = loader.loadClass("Argument");
            var l = java.lang.invoke.MethodHandles.publicLookup();
            System.out.println(l.findGetter(base, "bTypedF", argument));
            System.out.println(l.findVirtual(base, "btypedVirtual",
                java.lang.invoke.MethodType.methodType(loader.loadClass("Result"), argument)));
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
    }
}
