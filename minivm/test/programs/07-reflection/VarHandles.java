/* SPDX-License-Identifier: MIT */
/* VarHandle: fields, arrays, byte views; every access mode. */
import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

public class VarHandles {
    int i = 1;
    long l = 2;
    volatile boolean z;
    byte b = 3;
    short s = 4;
    char c = 'c';
    float f = 5;
    double d = 6;
    String text = "t";
    final int fin = 7;
    static int stat = 8;

    interface Body {
        Object run() throws Throwable;
    }

    static void attempt(Body b) {
        try {
            System.out.println(b.run());
        } catch (Throwable t) {
            System.out.println(t.getClass().getSimpleName() + ": " + t.getMessage());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lk = MethodHandles.lookup();
        VarHandles o = new VarHandles();
        VarHandle i = lk.findVarHandle(VarHandles.class, "i", int.class);
        System.out.println((int) i.get(o) + " " + (int) i.getAndAdd(o, 5) + " "
            + i.compareAndSet(o, 6, 10) + " " + i.compareAndSet(o, 6, 11) + " "
            + (int) i.compareAndExchange(o, 10, 12) + " " + (int) i.getAndSet(o, 0xf0) + " "
            + (int) i.getAndBitwiseOr(o, 0x0f) + " " + (int) i.getAndBitwiseAnd(o, 0x3c) + " "
            + (int) i.getAndBitwiseXor(o, 0xff) + " " + (int) i.getVolatile(o) + " "
            + (int) i.getAcquire(o) + " " + (int) i.getOpaque(o));
        i.setVolatile(o, 1);
        i.setRelease(o, 2);
        i.setOpaque(o, 3);
        i.set(o, 4);
        boolean weak = false;
        while (!weak) {
            weak = i.weakCompareAndSetPlain(o, 4, 5);
        }
        System.out.println(o.i + " " + (int) i.getAndAddAcquire(o, 1) + " "
            + (int) i.getAndSetRelease(o, 1) + " " + (int) i.compareAndExchangeAcquire(o, 1, 9));
        VarHandle l = lk.findVarHandle(VarHandles.class, "l", long.class);
        System.out.println((long) l.getAndAdd(o, 1L << 40) + " " + o.l + " "
            + l.compareAndSet(o, 5L, 6L) + " " + (long) l.getAndBitwiseXor(o, -1L) + " " + o.l);
        VarHandle z = lk.findVarHandle(VarHandles.class, "z", boolean.class);
        System.out.println(z.compareAndSet(o, false, true) + " " + (boolean) z.getAndSet(o, false)
            + " " + (boolean) z.getAndBitwiseOr(o, true) + " " + o.z);
        VarHandle b = lk.findVarHandle(VarHandles.class, "b", byte.class);
        System.out.println((byte) b.getAndAdd(o, (byte) 126) + " " + o.b + " "
            + b.compareAndSet(o, (byte) -127, (byte) 1) + " " + o.b);
        VarHandle s = lk.findVarHandle(VarHandles.class, "s", short.class);
        System.out.println((short) s.getAndAdd(o, (short) -5) + " " + o.s);
        VarHandle c = lk.findVarHandle(VarHandles.class, "c", char.class);
        System.out.println((char) c.getAndAdd(o, (char) 1) + " " + o.c);
        VarHandle f = lk.findVarHandle(VarHandles.class, "f", float.class);
        System.out.println((float) f.getAndAdd(o, 0.5f) + " " + f.compareAndSet(o, 5.5f, 1f));
        VarHandle d = lk.findVarHandle(VarHandles.class, "d", double.class);
        System.out.println((double) d.getAndAdd(o, 0.25) + " " + (double) d.compareAndExchange(o, 6.25,
            Double.NaN) + " " + d.compareAndSet(o, Double.NaN, 0.0));
        VarHandle t = lk.findVarHandle(VarHandles.class, "text", String.class);
        System.out.println((String) t.getAndSet(o, "u") + " " + t.compareAndSet(o, "u", "v") + " "
            + t.get(o));
        VarHandle st = lk.findStaticVarHandle(VarHandles.class, "stat", int.class);
        System.out.println((int) st.getAndAdd(2) + " " + stat);
        VarHandle fin = lk.findVarHandle(VarHandles.class, "fin", int.class);
        attempt(() -> (int) fin.get(o));
        attempt(() -> {
            fin.set(o, 1);
            return "set";
        });
        attempt(() -> (String) t.getAndAdd(o, "x"));
        attempt(() -> (int) f.getAndBitwiseAnd(o, 1));
        attempt(() -> (int) i.get("wrong"));
        attempt(() -> (int) i.get((VarHandles) null));
        attempt(() -> {
            t.set(o, (Object) 5);
            return "set";
        });
        attempt(() -> (Object) i.get(o));
        VarHandle ia = MethodHandles.arrayElementVarHandle(int[].class);
        int[] ints = new int[3];
        System.out.println((int) ia.getAndAdd(ints, 1, 5) + " " + Arrays.toString(ints));
        attempt(() -> (int) ia.get(ints, 3));
        VarHandle sa = MethodHandles.arrayElementVarHandle(String[].class);
        String[] strings = { "a", "b" };
        System.out.println(sa.compareAndSet(strings, 0, "a", "z") + " " + strings[0]);
        attempt(() -> {
            Object[] objects = strings;
            VarHandle oa = MethodHandles.arrayElementVarHandle(Object[].class);
            oa.set(objects, 0, (Object) 1);
            return "set";
        });
        VarHandle view = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        byte[] bytes = new byte[24];
        view.set(bytes, 3, 0x0102030405060708L);
        System.out.println(Arrays.toString(bytes) + " " + (long) view.get(bytes, 3));
        attempt(() -> (long) view.get(bytes, 17));
        VarHandle buf = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        ByteBuffer direct = ByteBuffer.allocateDirect(16);
        buf.set(direct, 4, 77);
        System.out.println((int) buf.getVolatile(direct, 4) + " " + buf.compareAndSet(direct, 4, 77, 78)
            + " " + direct.get(4));
        System.out.println(i.varType() + " " + i.coordinateTypes() + " "
            + i.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET) + " "
            + fin.isAccessModeSupported(VarHandle.AccessMode.SET) + " "
            + i.toMethodHandle(VarHandle.AccessMode.GET).invoke(o));
        VarHandle.fullFence();
        VarHandle.acquireFence();
        VarHandle.releaseFence();
        System.out.println((int) i.withInvokeExactBehavior().get(o));
        attempt(() -> (Integer) i.withInvokeExactBehavior().get(o));
        int total = 0;
        for (int k = 0; k < 3000; k++) {
            total += (int) i.getAndAdd(o, k);
        }
        System.out.println(total + " " + o.i);
    }
}
