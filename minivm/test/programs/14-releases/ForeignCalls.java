// SPDX-License-Identifier: MIT
// since: 25
// vm: --enable-native-access=ALL-UNNAMED
import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.*;
import java.lang.invoke.*;
import java.util.Arrays;

/** Calls of C by java.lang.foreign, and of Java by C: all types, structs by value, variadic
    functions, errno, arrays of the heap, foreign threads. */
public class ForeignCalls {
    static final Linker linker = Linker.nativeLinker();
    static final SymbolLookup library;

    static {
        System.loadLibrary("ForeignCalls");
        library = SymbolLookup.loaderLookup();
    }

    static final StructLayout POINT = MemoryLayout.structLayout(JAVA_INT, JAVA_INT);
    static final StructLayout MIXED = MemoryLayout.structLayout(JAVA_BYTE,
        MemoryLayout.paddingLayout(7), JAVA_DOUBLE);
    static final StructLayout LARGE = MemoryLayout.structLayout(
        MemoryLayout.sequenceLayout(5, JAVA_LONG), POINT);

    static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... arguments) {
        return linker.downcallHandle(library.findOrThrow(name),
            FunctionDescriptor.of(result, arguments));
    }

    static MemorySegment stub(Arena arena, String name, MethodType type,
                              MemoryLayout result, MemoryLayout... arguments)
        throws Exception {
        return linker.upcallStub(MethodHandles.lookup().findStatic(ForeignCalls.class, name,
                type), FunctionDescriptor.of(result, arguments), arena);
    }

    static void types() throws Throwable {
        MethodHandle nextByte = handle("next_byte", JAVA_BYTE, JAVA_BYTE);
        MethodHandle nextShort = handle("next_short", JAVA_SHORT, JAVA_SHORT);
        MethodHandle nextChar = handle("next_char", JAVA_CHAR, JAVA_CHAR);
        MethodHandle nextInt = handle("next_int", JAVA_INT, JAVA_INT);
        MethodHandle nextLong = handle("next_long", JAVA_LONG, JAVA_LONG);
        MethodHandle negate = handle("negate", JAVA_BOOLEAN, JAVA_BOOLEAN);
        System.out.println((byte) nextByte.invokeExact((byte) 41) + " "
            + (byte) nextByte.invokeExact((byte) 127) + " "
            + (byte) nextByte.invokeExact((byte) -1));
        System.out.println((short) nextShort.invokeExact((short) -300) + " "
            + (short) nextShort.invokeExact(Short.MAX_VALUE));
        System.out.println((int) (char) nextChar.invokeExact('\ufffe') + " "
            + (int) (char) nextChar.invokeExact('\uffff'));
        System.out.println((int) nextInt.invokeExact(-7) + " "
            + (int) nextInt.invokeExact(Integer.MAX_VALUE));
        System.out.println((long) nextLong.invokeExact(1L << 40) + " "
            + (long) nextLong.invokeExact(Long.MAX_VALUE));
        System.out.println((boolean) negate.invokeExact(true) + " "
            + (boolean) negate.invokeExact(false));
        System.out.println((float) handle("half_float", JAVA_FLOAT, JAVA_FLOAT)
            .invokeExact(3.5f) + " " + (double) handle("half_double", JAVA_DOUBLE,
                JAVA_DOUBLE).invokeExact(-0.1));
        MethodHandle sum = handle("sum_many", JAVA_DOUBLE, JAVA_BYTE, JAVA_LONG, JAVA_FLOAT,
            JAVA_DOUBLE, JAVA_SHORT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_DOUBLE,
            JAVA_FLOAT, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE,
            JAVA_DOUBLE);
        System.out.println((double) sum.invokeExact((byte) -1, 1L << 33, 0.5f, 0.25,
            (short) -3, 17, -(1L << 20), 5, 6, 7.5, 8.5f, 9.0, 10.0, 11.0, 12.0, 13.0,
            14.125));
    }

    static void library() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup c = linker.defaultLookup();
            MethodHandle strlen = linker.downcallHandle(c.findOrThrow("strlen"),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS));
            MethodHandle free = linker.downcallHandle(c.findOrThrow("free"),
                FunctionDescriptor.ofVoid(ADDRESS));
            MethodHandle malloc = linker.downcallHandle(c.findOrThrow("malloc"),
                FunctionDescriptor.of(ADDRESS, JAVA_LONG));
            System.out.println((long) strlen.invokeExact(arena.allocateFrom("h\u00e4llo")));
            MemorySegment block = ((MemorySegment) malloc.invokeExact(16L)).reinterpret(16);
            block.set(JAVA_LONG, 8, 4711);
            System.out.println(block.get(JAVA_LONG, 8));
            free.invokeExact(block);
            System.out.println(c.find("there is no such function").isPresent());
        }
    }

    static void variadic() throws Throwable {
        MethodHandle sum = linker.downcallHandle(library.findOrThrow("sum_variadic"),
            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_INT, JAVA_DOUBLE, JAVA_INT, JAVA_LONG,
                JAVA_DOUBLE, JAVA_INT, JAVA_LONG), Linker.Option.firstVariadicArg(1));
        System.out.println((double) sum.invokeExact(2, 0.5, -1, 1L << 40, 0.25, 2, -3L));
        MethodHandle snprintf = linker.downcallHandle(
            linker.defaultLookup().findOrThrow("snprintf"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT,
                JAVA_DOUBLE, ADDRESS), Linker.Option.firstVariadicArg(3));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(100);
            int length = (int) snprintf.invokeExact(out, 100L,
                arena.allocateFrom("%05d %.3f %s"), 42, 2.5, arena.allocateFrom("text"));
            System.out.println(length + ": " + out.getString(0));
        }
    }

    static MemorySegment large(Arena arena) {
        MemorySegment large = arena.allocate(LARGE);
        for (int i = 0; i < 5; i++)
            large.setAtIndex(JAVA_LONG, i, 100 + i);
        large.set(JAVA_INT, 40, 7);
        large.set(JAVA_INT, 44, -8);
        return large;
    }

    static void structs() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment point = arena.allocate(POINT), mixed = arena.allocate(MIXED);
            point.set(JAVA_INT, 0, 3);
            point.set(JAVA_INT, 4, -4);
            mixed.set(JAVA_BYTE, 0, (byte) 5);
            mixed.set(JAVA_DOUBLE, 8, 1.25);
            MemorySegment p = (MemorySegment) handle("mirror", POINT, POINT)
                .invokeExact((SegmentAllocator) arena, point);
            System.out.println(p.get(JAVA_INT, 0) + " " + p.get(JAVA_INT, 4));
            MemorySegment m = (MemorySegment) handle("double_weight", MIXED, MIXED)
                .invokeExact((SegmentAllocator) arena, mixed);
            System.out.println(m.get(JAVA_BYTE, 0) + " " + m.get(JAVA_DOUBLE, 8));
            MemorySegment l = (MemorySegment) handle("rotate", LARGE, LARGE, JAVA_INT)
                .invokeExact((SegmentAllocator) arena, large(arena), 2);
            System.out.println(Arrays.toString(l.asSlice(0, 40).toArray(JAVA_LONG)) + " "
                + l.get(JAVA_INT, 40) + " " + l.get(JAVA_INT, 44));
        }
    }

    static void errno() throws Throwable {
        StructLayout layout = Linker.Option.captureStateLayout();
        VarHandle errno = layout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        MethodHandle fail = linker.downcallHandle(library.findOrThrow("fail_with"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT),
            Linker.Option.captureCallState("errno"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(layout);
            for (int number : new int[] { 2, 0, 34 })
                System.out.println((int) fail.invokeExact(state, number) + " "
                    + (int) errno.get(state, 0L));
        }
    }

    static void heap() throws Throwable {
        MethodHandle reverse = linker.downcallHandle(library.findOrThrow("reverse"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT), Linker.Option.critical(true));
        int[] numbers = { 1, 2, 3, 4, 5, 6, 7 };
        reverse.invokeExact(MemorySegment.ofArray(numbers), numbers.length);
        System.out.println(Arrays.toString(numbers));
        reverse.invokeExact(MemorySegment.ofArray(numbers).asSlice(8), 3);
        System.out.println(Arrays.toString(numbers));
        MethodHandle refuses = linker.downcallHandle(library.findOrThrow("reverse"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
        try {
            refuses.invokeExact(MemorySegment.ofArray(numbers), numbers.length);
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getClass());
        }
    }

    /* ---- Java that C calls ---- */

    static byte before(byte n) {
        return (byte) (n - 1);
    }

    static short minus(short n) {
        return (short) -n;
    }

    static boolean not(boolean b) {
        return !b;
    }

    static float product(float a, double b) {
        return (float) (a * b);
    }

    static MemorySegment weigh(MemorySegment mixed, MemorySegment large) {
        MemorySegment result = Arena.ofAuto().allocate(MIXED);
        long sum = 0;
        for (int i = 0; i < 5; i++)
            sum += large.getAtIndex(JAVA_LONG, i);
        System.gc();
        result.set(JAVA_BYTE, 0, (byte) (mixed.get(JAVA_BYTE, 0) + large.get(JAVA_INT, 44)));
        result.set(JAVA_DOUBLE, 8, mixed.get(JAVA_DOUBLE, 8) + sum);
        return result;
    }

    static int elsewhere(int n) {
        Thread t = Thread.currentThread();
        System.out.println("daemon " + t.isDaemon() + ", virtual " + t.isVirtual());
        return n * 3;
    }

    static int compare(MemorySegment a, MemorySegment b) {
        return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT, 0));
    }

    static void upcalls() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = stub(arena, "before",
                MethodType.methodType(byte.class, byte.class), JAVA_BYTE, JAVA_BYTE);
            System.out.println((byte) handle("apply_byte", JAVA_BYTE, ADDRESS, JAVA_BYTE)
                .invokeExact(before, (byte) -128));
            MemorySegment minus = stub(arena, "minus",
                MethodType.methodType(short.class, short.class), JAVA_SHORT, JAVA_SHORT);
            MethodHandle applyShort = handle("apply_short", JAVA_LONG, ADDRESS, JAVA_SHORT);
            System.out.println((long) applyShort.invokeExact(minus, (short) 300) + " "
                + (long) applyShort.invokeExact(minus, (short) -300));
            MemorySegment not = stub(arena, "not",
                MethodType.methodType(boolean.class, boolean.class), JAVA_BOOLEAN,
                JAVA_BOOLEAN);
            System.out.println((boolean) handle("apply_bool", JAVA_BOOLEAN, ADDRESS,
                JAVA_BOOLEAN).invokeExact(not, false));
            MemorySegment product = stub(arena, "product",
                MethodType.methodType(float.class, float.class, double.class), JAVA_FLOAT,
                JAVA_FLOAT, JAVA_DOUBLE);
            System.out.println((float) handle("apply_float", JAVA_FLOAT, ADDRESS, JAVA_FLOAT,
                JAVA_DOUBLE).invokeExact(product, 1.5f, -2.25));
            MemorySegment weigh = stub(arena, "weigh", MethodType.methodType(
                    MemorySegment.class, MemorySegment.class, MemorySegment.class), MIXED,
                MIXED, LARGE), mixed = arena.allocate(MIXED);
            mixed.set(JAVA_BYTE, 0, (byte) 1);
            mixed.set(JAVA_DOUBLE, 8, 0.5);
            MemorySegment m = (MemorySegment) handle("apply_struct", MIXED, ADDRESS, MIXED,
                LARGE).invokeExact((SegmentAllocator) arena, weigh, mixed, large(arena));
            System.out.println(m.get(JAVA_BYTE, 0) + " " + m.get(JAVA_DOUBLE, 8));
            MemorySegment elsewhere = stub(arena, "elsewhere",
                MethodType.methodType(int.class, int.class), JAVA_INT, JAVA_INT);
            MethodHandle applyElsewhere = handle("apply_elsewhere", JAVA_INT, ADDRESS,
                JAVA_INT);
            System.out.println((int) applyElsewhere.invokeExact(elsewhere, 14));
        }
    }

    /** The C library's sort, by a comparator in Java. */
    static void sort() throws Throwable {
        MethodHandle qsort = linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        AddressLayout element = ADDRESS.withTargetLayout(JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment compare = stub(arena, "compare", MethodType.methodType(int.class,
                    MemorySegment.class, MemorySegment.class), JAVA_INT, element, element);
            int[] numbers = new int[500];
            for (int i = 0; i < numbers.length; i++)
                numbers[i] = i * 7919 % 1009 - 500;
            MemorySegment all = arena.allocateFrom(JAVA_INT, numbers);
            qsort.invokeExact(all, 500L, 4L, compare);
            Arrays.sort(numbers);
            System.out.println(Arrays.equals(numbers, all.toArray(JAVA_INT)));
        }
    }

    public static void main(String[] args) throws Throwable {
        types();
        library();
        variadic();
        structs();
        errno();
        heap();
        upcalls();
        sort();
    }
}
