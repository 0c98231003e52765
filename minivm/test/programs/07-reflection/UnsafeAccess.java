/* SPDX-License-Identifier: MIT */
/* sun.misc.Unsafe: fields, arrays, raw memory, compare and swap. */
// until: 21
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

@SuppressWarnings({ "deprecation", "removal" })
public class UnsafeAccess {
    int i = 5;
    long l = 6;
    Object o = "x";
    byte b1 = 1, b2 = 2;
    static double sd = 2.5;

    UnsafeAccess() {
        throw new IllegalStateException("constructor");
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        UnsafeAccess a = (UnsafeAccess) u.allocateInstance(UnsafeAccess.class);
        for (Class<?> c : new Class<?>[] { int.class, int[].class, Class.class,
                                           Runnable.class, Number.class })
            try {
                u.allocateInstance(c);
            } catch (Exception e) {
                System.out.println(e);
            }
        try {
            MethodHandles.lookup().findStatic(
                UnsafeAccess.class, "main",
                (MethodType) u.allocateInstance(MethodType.class));
        } catch (NullPointerException e) {
            System.out.println("unfinished method type");
        }
        long i = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("i"));
        long l = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("l"));
        long o = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("o"));
        long b2 = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("b2"));
        System.out.println(a.i + " " + a.o + " " + (l % 8));
        u.putInt(a, i, 77);
        u.putLong(a, l, -1L);
        u.putObject(a, o, "stored");
        u.putByte(a, b2, (byte) 9);
        System.out.println(a.i + " " + a.l + " " + a.o + " " + a.b1 + a.b2);
        System.out.println(u.compareAndSwapInt(a, i, 77, 78) + " " + u.compareAndSwapLong(a, l, 5, 6)
            + " " + u.compareAndSwapObject(a, o, "stored", null) + " " + u.getAndAddInt(a, i, 2)
            + " " + u.getAndSetLong(a, l, 10) + " " + u.getIntVolatile(a, i));
        Field sd = UnsafeAccess.class.getDeclaredField("sd");
        Object base = u.staticFieldBase(sd);
        System.out.println(u.getDouble(base, u.staticFieldOffset(sd)));
        u.putDouble(base, u.staticFieldOffset(sd), 9.75);
        System.out.println(UnsafeAccess.sd);
        int[] ints = { 1, 2, 3 };
        System.out.println(u.getInt(ints, Unsafe.ARRAY_INT_BASE_OFFSET + 2L
            * Unsafe.ARRAY_INT_INDEX_SCALE) + " " + u.arrayIndexScale(long[].class));
        byte[] bytes = new byte[16];
        u.putLong(bytes, (long) Unsafe.ARRAY_BYTE_BASE_OFFSET + 3, 0x1122334455667788L);
        System.out.println(bytes[3] + " " + u.getShort(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + 4L));
        long p = u.allocateMemory(64);
        u.setMemory(p, 64, (byte) 0x5a);
        u.putInt(p + 8, 42);
        p = u.reallocateMemory(p, 4096);
        System.out.println(u.getInt(p + 8) + " " + u.getByte(p) + " " + u.getLong(p + 16));
        u.copyMemory(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, null, p, 16);
        System.out.println(u.getByte(p + 3));
        u.freeMemory(p);
        System.out.println(Integer.bitCount(u.pageSize()) + " " + u.addressSize());
        try {
            u.throwException(new java.io.IOException("sneaky"));
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        u.ensureClassInitialized(String.class);
        u.fullFence();
        u.park(false, 1000);
        u.unpark(Thread.currentThread());
        u.park(false, 0);
        System.out.println(u.shouldBeInitialized(String.class));
    }
}
