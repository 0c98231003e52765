// SPDX-License-Identifier: MIT
// since: 25
import java.lang.foreign.*;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;

/** Segments of native and heap memory: access, bounds, life time, threads, copies. */
public class MemorySegments {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": done");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        }
    }

    static long checksum(MemorySegment s) {
        long sum = 0;
        for (long i = 0; i < s.byteSize(); i++)
            sum = sum * 31 + s.get(ValueLayout.JAVA_BYTE, i);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = arena.allocate(64, 16);
            kept = s;
            System.out.println(s.byteSize() + " " + s.address() % 16 + " " + s.isNative() + " " + checksum(s));
            s.set(ValueLayout.JAVA_INT, 0, 0x01020304);
            s.set(ValueLayout.JAVA_LONG_UNALIGNED, 5, -2);
            s.setAtIndex(ValueLayout.JAVA_DOUBLE, 3, Math.PI);
            s.set(ValueLayout.JAVA_CHAR.withOrder(ByteOrder.BIG_ENDIAN), 40, '\u1234');
            System.out.println(s.get(ValueLayout.JAVA_BYTE, 0) + " " + s.get(ValueLayout.JAVA_BYTE, 12)
                + " " + s.getAtIndex(ValueLayout.JAVA_DOUBLE, 3) + " " + s.get(ValueLayout.JAVA_BYTE, 40)
                + " " + checksum(s));
            MemorySegment part = s.asSlice(24, 8).asReadOnly();
            System.out.println(part.get(ValueLayout.JAVA_DOUBLE, 0) + " " + part.isReadOnly());
            attempt("write to a read-only one", () -> part.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
            attempt("beyond the end", () -> s.get(ValueLayout.JAVA_INT, 61));
            attempt("below the begin", () -> s.get(ValueLayout.JAVA_BYTE, -1));
            attempt("not aligned", () -> s.get(ValueLayout.JAVA_INT, 2));
            attempt("a slice too long", () -> s.asSlice(60, 8));
            System.out.println(CompletableFuture.supplyAsync(() -> {
                try {
                    return "got " + s.get(ValueLayout.JAVA_INT, 0);
                } catch (WrongThreadException e) {
                    return "another thread may not";
                }
            }).get());
            MemorySegment text = arena.allocateFrom("h\u00e9llo");
            System.out.println(text.byteSize() + " " + text.getString(0) + " " + text.getString(3));
            MemorySegment ints = arena.allocateFrom(ValueLayout.JAVA_INT, 5, 6, 7, 8);
            MemorySegment.copy(ints, 4, s, 48, 8);
            int[] back = s.asSlice(48, 8).toArray(ValueLayout.JAVA_INT);
            System.out.println(back[0] + " " + back[1] + " " + ints.mismatch(s.asSlice(48))
                + " " + ints.asSlice(4).mismatch(s.asSlice(48, 8)));
        }
        attempt("after the end of its arena", () -> kept.get(ValueLayout.JAVA_INT, 0));
        System.out.println(kept.scope().isAlive());

        byte[] array = new byte[16];
        MemorySegment heap = MemorySegment.ofArray(array);
        heap.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 3, (short) 0x0a0b);
        heap.asSlice(8).fill((byte) 7);
        System.out.println(array[3] + " " + array[4] + " " + array[15] + " " + heap.isNative() + " "
            + heap.heapBase().map(b -> b == array).orElse(false));
        attempt("an int in an array of bytes", () -> heap.get(ValueLayout.JAVA_INT, 0));
        try (Arena shared = Arena.ofShared()) {
            MemorySegment counter = shared.allocate(ValueLayout.JAVA_LONG);
            VarHandle h = ValueLayout.JAVA_LONG.varHandle();
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++)
                (threads[i] = new Thread(() -> {
                    for (int n = 0; n < 500; n++)
                        h.getAndAdd(counter, 0L, 1L);
                })).start();
            for (Thread t : threads)
                t.join();
            System.out.println("counted " + (long) h.getVolatile(counter, 0L) + " "
                + h.compareAndSet(counter, 0L, 2000L, 5L) + " " + (long) h.get(counter, 0L));
        }
        System.out.println(Arena.global().allocate(4).byteSize() + " " + MemorySegment.NULL.address());
        attempt("the global arena is not closed", Arena.global()::close);
    }
}
