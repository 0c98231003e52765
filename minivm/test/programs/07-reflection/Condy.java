/* SPDX-License-Identifier: MIT */
// until: 21
/* ConstantBootstraps and MethodHandles.Lookup used as javac-free condy does. */
import java.lang.invoke.*;
import java.util.*;

public class Condy {
    enum Color { RED, BLUE }

    static final int ANSWER = 42;

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        System.out.println(ConstantBootstraps.nullConstant(l, "n", String.class) + " "
            + ConstantBootstraps.primitiveClass(l, "I", Class.class) + " "
            + ConstantBootstraps.enumConstant(l, "BLUE", Color.class) + " "
            + ConstantBootstraps.getStaticFinal(l, "ANSWER", int.class, Condy.class) + " "
            + ConstantBootstraps.explicitCast(l, "c", byte.class, 300));
        VarHandle v = ConstantBootstraps.arrayVarHandle(l, "v", VarHandle.class, long[].class);
        long[] a = { 5 };
        System.out.println((long) v.getAndAdd(a, 0, 6L) + " " + a[0]);
        Object made = ConstantBootstraps.invoke(l, "x", List.class, l.findStatic(List.class, "of",
            MethodType.methodType(List.class, Object.class, Object.class)), 1, 2);
        System.out.println(made);
        CallSite concat = StringConcatFactory.makeConcatWithConstants(l, "m", MethodType.methodType(
            String.class, int.class, String.class, double.class), "a\1b\1c\2\1", "CONST");
        System.out.println((String) concat.getTarget().invokeExact(1, "two", 3.0));
        CallSite plain = StringConcatFactory.makeConcat(l, "m", MethodType.methodType(String.class,
            char.class, Object.class, long.class, boolean.class));
        System.out.println((String) plain.getTarget().invokeExact('x', (Object) null, 7L, true));
        MethodHandle body = l.findStatic(Condy.class, "body", MethodType.methodType(String.class,
            String.class, int.class));
        CallSite lambda = LambdaMetafactory.metafactory(l, "apply", MethodType.methodType(
            java.util.function.IntFunction.class, String.class), MethodType.methodType(Object.class,
            int.class), body, MethodType.methodType(String.class, int.class));
        @SuppressWarnings("unchecked")
        java.util.function.IntFunction<String> f =
            (java.util.function.IntFunction<String>) lambda.getTarget().invoke("captured");
        System.out.println(f.apply(9));
        try {
            LambdaMetafactory.metafactory(l, "apply", MethodType.methodType(Runnable.class),
                MethodType.methodType(int.class), body, MethodType.methodType(int.class));
        } catch (LambdaConversionException e) {
            System.out.println(e.getMessage());
        }
    }

    static String body(String s, int n) {
        return s + n;
    }
}
