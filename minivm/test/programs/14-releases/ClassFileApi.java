// SPDX-License-Identifier: MIT
// since: 25
import java.lang.classfile.*;
import java.lang.classfile.attribute.*;
import java.lang.classfile.instruction.*;
import java.lang.constant.*;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.util.*;

/** java.lang.classfile: writes a class, transforms it, loads both and lists their parts. */
public class ClassFileApi {
    static final ClassDesc MADE = ClassDesc.of("Made"), TALLY = ClassDesc.of("ClassFileApi");
    public static int tally;

    public static void visit(String name) {
        tally++;
        System.out.println("  visit " + name);
    }

    /** static int fact(int n): a loop; static String label(int n): a switch. */
    static byte[] write() {
        return ClassFile.of().build(MADE, b -> b
            .withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL)
            .withField("base", ConstantDescs.CD_int, f -> f.withFlags(AccessFlag.PUBLIC, AccessFlag.STATIC))
            .withMethodBody("fact", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, c -> {
                    int product = c.allocateLocal(TypeKind.INT);
                    Label top = c.newLabel(), end = c.newLabel();
                    c.loadConstant(1).istore(product)
                        .labelBinding(top).iload(0).ifle(end)
                        .iload(product).iload(0).imul().istore(product)
                        .iinc(0, -1).goto_(top)
                        .labelBinding(end).iload(product).ireturn();
                })
            .withMethodBody("label", MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_int),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, c -> {
                    Label one = c.newLabel(), ten = c.newLabel(), other = c.newLabel();
                    c.iload(0).lookupswitch(other, List.of(SwitchCase.of(1, one), SwitchCase.of(10, ten)))
                        .labelBinding(one).ldc("one").areturn()
                        .labelBinding(ten).ldc("ten").areturn()
                        .labelBinding(other).trying(t -> t.iconst_0().iload(0).idiv().pop()
                                .ldc("other").areturn(),
                            h -> h.catching(ClassDesc.of("java.lang.ArithmeticException"),
                                k -> k.pop().ldc("zero").areturn()));
                }));
    }

    /** Calls visit at the begin of each method, and makes additions of multiplications. */
    static byte[] change(byte[] bytes) {
        ClassFile cf = ClassFile.of();
        return cf.transformClass(cf.parse(bytes), (builder, element) -> {
            if (!(element instanceof MethodModel m)) {
                builder.with(element);
                return;
            }
            builder.transformMethod(m, MethodTransform.transformingCode(new CodeTransform() {
                @Override
                public void atStart(CodeBuilder c) {
                    c.ldc(m.methodName().stringValue()).invokestatic(TALLY, "visit",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String));
                }

                @Override
                public void accept(CodeBuilder c, CodeElement e) {
                    if (e instanceof OperatorInstruction o && o.opcode() == Opcode.IMUL)
                        c.iadd();
                    else
                        c.with(e);
                }
            }));
        });
    }

    static void list(String name, byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        System.out.println(name + " " + model.thisClass().asInternalName() + " " + model.majorVersion()
            + " " + model.flags().flags() + " " + model.fields().size());
        for (MethodModel m : model.methods()) {
            Map<Opcode.Kind, Integer> kinds = new TreeMap<>();
            CodeModel code = m.code().orElseThrow();
            for (CodeElement e : code)
                if (e instanceof Instruction i)
                    kinds.merge(i.opcode().kind(), 1, Integer::sum);
            System.out.println("  " + m.methodName() + m.methodType() + " " + kinds + " handlers "
                + code.exceptionHandlers().size() + " maps " + code.findAttribute(Attributes.stackMapTable())
                    .map(s -> s.entries().size()).orElse(0));
        }
        System.out.println("  errors " + ClassFile.of().verify(bytes));
    }

    static void run(byte[] bytes) throws Throwable {
        Class<?> c = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        for (int n : new int[] { 1, 5, 10, 0 })
            System.out.println(c.getMethod("fact", int.class).invoke(null, n) + " "
                + c.getMethod("label", int.class).invoke(null, n));
    }

    public static void main(String[] args) throws Throwable {
        byte[] bytes = write(), changed = change(bytes);
        list("written", bytes);
        list("changed", changed);
        run(bytes);
        run(changed);
        System.out.println(tally);
    }
}
