/* SPDX-License-Identifier: MIT */
/* Signature-polymorphic calls on null: the call itself fails, once it is linked. */
import java.lang.invoke.*;
import java.util.*;

public class NullHandles {
    interface Body {
        void run() throws Throwable;
    }

    static MethodHandle shared;
    static VarHandle handle;
    MethodHandle mine;
    int field;
    static int sum;

    static void check(String name, Body body) {
        for (int i = 0; i < 2; i++) {
            try {
                body.run();
                System.out.println(name + ": no exception");
            } catch (Throwable e) {
                StackTraceElement at = e.getStackTrace()[0];
                System.out.println(name + ": " + e + " at " + at.getMethodName() + ":"
                                   + at.getLineNumber());
            }
        }
    }

    static MethodHandle none() {
        sum++;
        return null;
    }

    static int argument() {
        return ++sum;
    }

    static Object[] twice(MethodHandle m, VarHandle v) throws Throwable {
        return new Object[] { m.invoke(v), v.get() };
    }

    static void many(VarHandle v, NullHandles o) {
        check("get", () -> System.out.println((int)v.get(o)));
        check("set", () -> v.set(o, 4));
        check("getVolatile", () -> System.out.println((int)v.getVolatile(o)));
        check("setVolatile", () -> v.setVolatile(o, 4));
        check("getOpaque", () -> System.out.println((int)v.getOpaque(o)));
        check("setOpaque", () -> v.setOpaque(o, 4));
        check("getAcquire", () -> System.out.println((int)v.getAcquire(o)));
        check("setRelease", () -> v.setRelease(o, 4));
        check("compareAndSet", () -> System.out.println(v.compareAndSet(o, 4, 5)));
        check("compareAndExchange", () -> System.out.println((int)v.compareAndExchange(o, 5, 6)));
        check("compareAndExchangeAcquire",
              () -> System.out.println((int)v.compareAndExchangeAcquire(o, 6, 7)));
        check("compareAndExchangeRelease",
              () -> System.out.println((int)v.compareAndExchangeRelease(o, 7, 8)));
        check("weakCompareAndSetPlain", () -> v.weakCompareAndSetPlain(o, 0, 0));
        check("weakCompareAndSet", () -> v.weakCompareAndSet(o, 0, 0));
        check("weakCompareAndSetAcquire", () -> v.weakCompareAndSetAcquire(o, 0, 0));
        check("weakCompareAndSetRelease", () -> v.weakCompareAndSetRelease(o, 0, 0));
        check("getAndSet", () -> System.out.println((int)v.getAndSet(o, 9)));
        check("getAndSetAcquire", () -> System.out.println((int)v.getAndSetAcquire(o, 10)));
        check("getAndSetRelease", () -> System.out.println((int)v.getAndSetRelease(o, 11)));
        check("getAndAdd", () -> System.out.println((int)v.getAndAdd(o, 1)));
        check("getAndAddAcquire", () -> System.out.println((int)v.getAndAddAcquire(o, 1)));
        check("getAndAddRelease", () -> System.out.println((int)v.getAndAddRelease(o, 1)));
        check("getAndBitwiseOr", () -> System.out.println((int)v.getAndBitwiseOr(o, 1)));
        check("getAndBitwiseOrAcquire",
              () -> System.out.println((int)v.getAndBitwiseOrAcquire(o, 1)));
        check("getAndBitwiseOrRelease",
              () -> System.out.println((int)v.getAndBitwiseOrRelease(o, 1)));
        check("getAndBitwiseAnd", () -> System.out.println((int)v.getAndBitwiseAnd(o, -1)));
        check("getAndBitwiseAndAcquire",
              () -> System.out.println((int)v.getAndBitwiseAndAcquire(o, -1)));
        check("getAndBitwiseAndRelease",
              () -> System.out.println((int)v.getAndBitwiseAndRelease(o, -1)));
        check("getAndBitwiseXor", () -> System.out.println((int)v.getAndBitwiseXor(o, 1)));
        check("getAndBitwiseXorAcquire",
              () -> System.out.println((int)v.getAndBitwiseXorAcquire(o, 1)));
        check("getAndBitwiseXorRelease",
              () -> System.out.println((int)v.getAndBitwiseXorRelease(o, 1)));
    }

    /* One site for null and for a handle, in both orders. */
    static String same(MethodHandle m, int i) {
        try {
            return "" + (int)m.invokeExact(i);
        } catch (NullPointerException e) {
            return e.getMessage();
        } catch (Throwable t) {
            return t.toString();
        }
    }

    static String other(MethodHandle m, long l, double d) {
        try {
            return "" + m.invoke(l, d);
        } catch (NullPointerException e) {
            return e.getMessage();
        } catch (Throwable t) {
            return t.toString();
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle none = null;
        MethodHandle[] table = new MethodHandle[2];
        NullHandles here = new NullHandles();

        check("local", () -> none.invokeExact());
        check("static", () -> shared.invokeExact("text", 3));
        check("field", () -> here.mine.invoke(1L, 2.0));
        check("element", () -> System.out.println((int)table[1].invoke(new int[2][], "s")));
        check("call", () -> none().invokeExact(argument(), argument()));
        check("null", () -> ((MethodHandle)null).invoke());
        check("no receiver at all", () -> ((NullHandles)null).mine.invoke());
        check("with arguments", () -> none.invokeWithArguments(1, 2));
        check("lists", () -> none.invokeWithArguments(List.of()));
        check("twice", () -> twice(none, handle));
        check("twice2", () -> twice(MethodHandles.constant(int.class, 5), handle));
        System.out.println(sum);
        many(handle, here);
        many(MethodHandles.lookup().findVarHandle(NullHandles.class, "field", int.class), here);
        many(MethodHandles.lookup().findVarHandle(NullHandles.class, "field", int.class), null);
        MethodHandle twice = MethodHandles.lookup().findStatic(Math.class, "abs",
            MethodType.methodType(int.class, int.class));
        System.out.println(same(null, 1) + same(twice, -2) + same(null, 3));
        MethodHandle max = MethodHandles.lookup().findStatic(Math.class, "max",
            MethodType.methodType(double.class, double.class, double.class));
        System.out.println(other(max, 1, 3) + other(null, 1, 2) + other(twice, 1, 2));
        VarHandle elements = MethodHandles.arrayElementVarHandle(int[].class), no = null;
        check("array", () -> elements.set((int[])null, 1, 2));
        check("no array", () -> no.set(new int[3], 1, 2));
        check("bounds", () -> elements.set(new int[3], 3, 2));
        check("exact", () -> no.withInvokeExactBehavior());
        check("type", () -> twice.invokeExact((long)2));
    }
}
