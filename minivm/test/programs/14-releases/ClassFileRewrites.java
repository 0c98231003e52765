// SPDX-License-Identifier: MIT
// since: 24
import java.io.*;
import java.lang.classfile.*;
import java.lang.classfile.attribute.*;
import java.lang.classfile.instruction.*;
import java.lang.constant.*;
import java.lang.invoke.*;
import java.lang.reflect.AccessFlag;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

import static java.lang.constant.ConstantDescs.*;

/** Classes written, read and changed by the class-file API, and run in virtual threads. */
public class ClassFileRewrites {
    static final ClassDesc SELF = ClassDesc.of("ClassFileRewrites");
    static final Map<String, Integer> calls = new ConcurrentSkipListMap<>();

    public static void called(String method) {
        calls.merge(method, 1, Integer::sum);
    }

    /** What is rewritten. */
    public static class Subject implements Callable<String> {
        int count;

        static int fib(int n) {
            return n < 2 ? n : fib(n - 1) + fib(n - 2);
        }

        int next(int by) {
            count += by;
            Thread.yield();
            return count;
        }

        @Override
        public String call() {
            try {
                return fib(8) + " " + next(3) + " " + next(4) + " " + 10 / (count - 7);
            } catch (ArithmeticException e) {
                return fib(5) + " " + e.getMessage();
            }
        }
    }

    static byte[] bytes(Class<?> k) throws IOException {
        try (InputStream in = k.getResourceAsStream("/" + k.getName() + ".class")) {
            return in.readAllBytes();
        }
    }

    /** Each method tells its name when it is entered. */
    static byte[] traced(byte[] bytes) {
        ClassFile file = ClassFile.of();
        return file.transformClass(file.parse(bytes), ClassTransform.transformingMethodBodies(
            method -> !method.methodName().stringValue().startsWith("<"),
            CodeTransform.ofStateful(() -> new CodeTransform() {
                boolean begun;

                @Override
                public void accept(CodeBuilder code, CodeElement element) {
                    if (!begun && element instanceof Instruction) {
                        begun = true;
                        code.ldc("entered").invokestatic(SELF, "called",
                                                         MethodTypeDesc.of(CD_void, CD_String));
                    }
                    code.with(element);
                }
            })));
    }

    /** Subtractions become additions, and constants one more. */
    static byte[] turned(byte[] bytes) {
        ClassFile file = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);
        CodeTransform turn = (code, element) -> {
            if (element instanceof OperatorInstruction op && op.opcode() == Opcode.ISUB)
                code.iadd();
            else if (element instanceof ConstantInstruction.IntrinsicConstantInstruction c
                     && c.opcode() == Opcode.ICONST_3)
                code.iconst_4();
            else
                code.with(element);
        };
        return file.transformClass(file.parse(bytes), ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("call"), turn));
    }

    /** (a, b, c) -> a * b + c, a loop, a switch and a handler, from nothing. */
    static byte[] made() {
        ClassDesc self = ClassDesc.of("Made");
        return ClassFile.of().build(self, type -> type
            .withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL)
            .withField("total", CD_long, ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE)
            .withMethodBody("muladd", MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_int),
                ClassFile.ACC_STATIC, code -> code.iload(0).iload(1).imul().iload(2).iadd().ireturn())
            .withMethodBody("sum", MethodTypeDesc.of(CD_long, CD_int), ClassFile.ACC_STATIC, code -> {
                Label top = code.newLabel(), end = code.newLabel();
                code.lconst_0().lstore(1).labelBinding(top).iload(0).ifle(end)
                    .lload(1).iload(0).i2l().ladd().lstore(1).iinc(0, -1)
                    .invokestatic(ClassDesc.of("java.lang.Thread"), "yield", MTD_void)
                    .goto_(top).labelBinding(end)
                    .lload(1).putstatic(self, "total", CD_long).lload(1).lreturn();
            })
            .withMethodBody("name", MethodTypeDesc.of(CD_String, CD_int), ClassFile.ACC_STATIC, code -> {
                Label one = code.newLabel(), ten = code.newLabel(), other = code.newLabel();
                code.iload(0).lookupswitch(other, List.of(SwitchCase.of(1, one), SwitchCase.of(10, ten)))
                    .labelBinding(one).ldc("one").areturn().labelBinding(ten).ldc("ten").areturn()
                    .labelBinding(other).ldc("other").areturn();
            })
            .withMethodBody("divide", MethodTypeDesc.of(CD_int, CD_int, CD_int), ClassFile.ACC_STATIC,
                code -> code.trying(body -> body.iload(0).iload(1).idiv().ireturn(),
                    handler -> handler.catching(ClassDesc.of("java.lang.ArithmeticException"),
                        block -> block.pop().iconst_m1().ireturn()))));
    }

    static String describe(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        return model.methods().stream().map(m -> m.methodName().stringValue() + ":"
            + m.code().map(c -> c.elementStream().filter(e -> e instanceof Instruction).count() + "/"
                + c.exceptionHandlers().size()).orElse("-")).collect(Collectors.joining(" "));
    }

    static Object call(byte[] bytes) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
        Callable<?> subject = (Callable<?>) lookup.findConstructor(
            lookup.lookupClass(), MethodType.methodType(void.class)).invoke();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            return executor.submit(subject::call).get();
        }
    }

    public static void main(String[] args) throws Throwable {
        byte[] bytes = bytes(Subject.class);
        System.out.println(describe(bytes));
        System.out.println(call(bytes));
        System.out.println(call(traced(bytes)) + " " + calls);
        System.out.println(describe(traced(bytes)));
        System.out.println(call(turned(bytes)) + " " + describe(turned(bytes)));
        System.out.println(ClassFile.of().verify(traced(bytes)).isEmpty() + " "
                           + ClassFile.of().verify(made()).isEmpty());
        MethodHandles.Lookup made = MethodHandles.lookup().defineHiddenClass(made(), true);
        Class<?> k = made.lookupClass();
        System.out.println((int) made.findStatic(k, "muladd",
            MethodType.methodType(int.class, int.class, int.class, int.class)).invokeExact(6, 7, 8));
        MethodHandle sum = made.findStatic(k, "sum", MethodType.methodType(long.class, int.class));
        List<Future<Long>> sums = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                int n = i * 10;
                sums.add(executor.submit(() -> {
                    try {
                        return (long) sum.invokeExact(n);
                    } catch (Throwable t) {
                        throw new AssertionError(t);
                    }
                }));
            }
        }
        System.out.println(sums.stream().map(Future::resultNow).toList());
        MethodHandle name = made.findStatic(k, "name", MethodType.methodType(String.class, int.class));
        System.out.println((String) name.invokeExact(1) + (String) name.invokeExact(10)
                           + (String) name.invokeExact(5));
        MethodHandle divide = made.findStatic(k, "divide",
            MethodType.methodType(int.class, int.class, int.class));
        System.out.println((int) divide.invokeExact(9, 2) + " " + (int) divide.invokeExact(9, 0));
        byte[] broken = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS).build(
            ClassDesc.of("Broken"), type -> type.withMethodBody("bad", MethodTypeDesc.of(CD_int),
                ClassFile.ACC_STATIC, code -> code.ldc("text").ireturn()));
        try {
            MethodHandles.lookup().defineHiddenClass(broken, true);
        } catch (VerifyError e) {
            System.out.println("not verified");
        }
    }
}
