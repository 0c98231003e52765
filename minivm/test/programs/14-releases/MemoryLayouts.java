// SPDX-License-Identifier: MIT
// since: 25
import java.lang.foreign.*;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.invoke.*;
import java.util.stream.Collectors;

/** Layouts of structs, unions and sequences: sizes, offsets, paths, handles, a heap sort. */
public class MemoryLayouts {
    static final StructLayout POINT = MemoryLayout.structLayout(
        ValueLayout.JAVA_SHORT.withName("x"), MemoryLayout.paddingLayout(2),
        ValueLayout.JAVA_INT.withName("y"));
    static final StructLayout SHAPE = MemoryLayout.structLayout(
        ValueLayout.JAVA_BYTE.withName("kind"), MemoryLayout.paddingLayout(7),
        MemoryLayout.sequenceLayout(3, POINT).withName("corners"),
        MemoryLayout.unionLayout(ValueLayout.JAVA_LONG.withName("asLong"),
            ValueLayout.JAVA_DOUBLE.withName("asDouble")).withName("extra")).withName("shape");

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": done");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    /** Sorts records of (key, index) in native memory by their keys. */
    static void sort(MemorySegment s, VarHandle key, VarHandle index, long count) {
        for (long i = 1; i < count; i++) {
            long k = (long) key.get(s, 0L, i);
            int n = (int) index.get(s, 0L, i);
            long j = i;
            for (; j > 0 && (long) key.get(s, 0L, j - 1) > k; j--) {
                key.set(s, 0L, j, (long) key.get(s, 0L, j - 1));
                index.set(s, 0L, j, (int) index.get(s, 0L, j - 1));
            }
            key.set(s, 0L, j, k);
            index.set(s, 0L, j, n);
        }
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(SHAPE.byteSize() + " " + SHAPE.byteAlignment() + " " + POINT.byteSize());
        System.out.println(SHAPE);
        PathElement corners = PathElement.groupElement("corners"), y = PathElement.groupElement("y");
        System.out.println(SHAPE.byteOffset(corners, PathElement.sequenceElement(2), y) + " "
            + SHAPE.select(corners, PathElement.sequenceElement()) + " "
            + SHAPE.byteOffset(PathElement.groupElement("extra")));
        VarHandle ys = SHAPE.varHandle(corners, PathElement.sequenceElement(), y);
        VarHandle asLong = SHAPE.varHandle(PathElement.groupElement("extra"), PathElement.groupElement("asLong"));
        VarHandle asDouble = SHAPE.varHandle(PathElement.groupElement("extra"), PathElement.groupElement("asDouble"));
        System.out.println(ys.coordinateTypes() + " " + ys.varType());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment shape = arena.allocate(SHAPE);
            for (long i = 0; i < 3; i++)
                ys.set(shape, 0L, i, (int) (i * 100 + 7));
            asDouble.set(shape, 0L, 1.0);
            System.out.println((int) ys.get(shape, 0L, 2L) + " " + Long.toHexString((long) asLong.get(shape, 0L)));
            attempt("an index beyond the sequence", () -> ys.get(shape, 0L, 3L));
            System.out.println(shape.asSlice(8).elements(POINT).limit(3)
                .map(p -> p.get(ValueLayout.JAVA_INT, 4)).collect(Collectors.toList()));
            MethodHandle slice = SHAPE.sliceHandle(corners, PathElement.sequenceElement());
            System.out.println(((MemorySegment) slice.invokeExact(shape, 0L, 1L)).byteSize());

            SequenceLayout table = MemoryLayout.sequenceLayout(8, MemoryLayout.structLayout(
                ValueLayout.JAVA_LONG.withName("key"), ValueLayout.JAVA_INT.withName("index"),
                MemoryLayout.paddingLayout(4)));
            VarHandle key = table.varHandle(PathElement.sequenceElement(), PathElement.groupElement("key"));
            VarHandle index = table.varHandle(PathElement.sequenceElement(), PathElement.groupElement("index"));
            MemorySegment s = arena.allocate(table);
            for (int i = 0; i < 8; i++) {
                key.set(s, 0L, (long) i, (i * 37L + 11) % 23);
                index.set(s, 0L, (long) i, i);
            }
            sort(s, key, index, 8);
            StringBuilder b = new StringBuilder();
            for (long i = 0; i < 8; i++)
                b.append((long) key.get(s, 0L, i)).append('/').append((int) index.get(s, 0L, i)).append(' ');
            System.out.println(b);
        }
        attempt("a member that is not there", () -> SHAPE.byteOffset(PathElement.groupElement("none")));
        attempt("a member at a wrong offset", () -> MemoryLayout.structLayout(ValueLayout.JAVA_BYTE, ValueLayout.JAVA_INT));
        System.out.println(ValueLayout.JAVA_LONG.withOrder(java.nio.ByteOrder.BIG_ENDIAN).equals(ValueLayout.JAVA_LONG)
            + " " + ValueLayout.ADDRESS.byteSize() + " " + ValueLayout.JAVA_INT_UNALIGNED.byteAlignment());
    }
}
