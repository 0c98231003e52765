/* SPDX-License-Identifier: MIT */
/* NIO buffers: heap and direct, views, byte order, slices, errors. */
import java.nio.*;
import java.util.Arrays;

public class Buffers {
    static void exercise(ByteBuffer b) {
        b.put((byte) 1).putShort((short) 2).putChar('c').putInt(4).putLong(5).putFloat(6.5f)
            .putDouble(7.5);
        System.out.println(b + " " + b.position());
        b.flip();
        System.out.println(b.get() + " " + b.getShort() + " " + b.getChar() + " " + b.getInt() + " "
            + b.getLong() + " " + b.getFloat() + " " + b.getDouble() + " " + b.hasRemaining());
        b.clear().order(ByteOrder.LITTLE_ENDIAN);
        b.putInt(0, 0x01020304).putLong(8, -2);
        System.out.println(b.get(0) + " " + b.getShort(1) + " " + b.getInt(9) + " " + b.order());
        IntBuffer ints = b.asIntBuffer();
        ints.put(1, 99).put(new int[] { 7, 8 }, 0, 1);
        System.out.println(b.getInt(0) + " " + b.getInt(4) + " " + ints.isDirect());
        b.position(4).limit(12);
        ByteBuffer slice = b.slice(), dup = b.duplicate(), ro = b.asReadOnlyBuffer();
        slice.put(0, (byte) 55);
        System.out.println(b.get(4) + " " + slice.capacity() + " " + dup.position() + " "
            + ro.isReadOnly() + " " + b.slice(1, 2).remaining());
        try {
            ro.put((byte) 1);
        } catch (ReadOnlyBufferException e) {
            System.out.println("read only");
        }
        try {
            b.getLong(8);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass().getSimpleName());
        }
        try {
            b.put(new byte[20]);
        } catch (BufferOverflowException e) {
            System.out.println("overflow");
        }
        b.position(12);
        try {
            b.get();
        } catch (BufferUnderflowException e) {
            System.out.println("underflow");
        }
        b.position(4).compact();
        System.out.println(b + " " + b.get(0));
        b.clear();
        for (int i = 0; b.hasRemaining(); i++) {
            b.put((byte) (i * 3));
        }
        b.flip();
        ByteBuffer other = ByteBuffer.allocateDirect(b.capacity());
        other.put(b).flip();
        b.rewind();
        System.out.println(b.equals(other) + " " + b.compareTo(other) + " " + b.hashCode() + " "
            + b.mismatch(other.put(5, (byte) 0)));
        byte[] out = new byte[5];
        b.mark().position(3).get(out).reset();
        System.out.println(Arrays.toString(out) + " " + b.position() + " "
            + b.asCharBuffer().length() + " " + b.asLongBuffer().get(1) + " "
            + b.asDoubleBuffer().remaining() + " " + b.asShortBuffer().get(2));
        byte[] range = new byte[4];
        b.get(10, range, 1, 3);
        System.out.println(Arrays.toString(range));
    }

    public static void main(String[] args) {
        exercise(ByteBuffer.allocate(48));
        exercise(ByteBuffer.allocateDirect(48));
        exercise(ByteBuffer.wrap(new byte[60], 6, 48).slice());
        CharBuffer c = CharBuffer.wrap("hello");
        System.out.println(c.subSequence(1, 3) + " " + c.charAt(4) + " " + c.isReadOnly() + " "
            + c.chars().sum());
        LongBuffer l = LongBuffer.allocate(3);
        l.put(1).put(2);
        l.flip();
        System.out.println(l + " " + l.get() + Arrays.toString(l.array()) + l.arrayOffset());
        System.out.println(ByteBuffer.allocateDirect(64).alignedSlice(8).capacity() >= 56);
        try {
            ByteBuffer.allocate(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        long total = 0;
        for (int i = 0; i < 200; i++) {
            total += ByteBuffer.allocateDirect(1 << 20).capacity();
        }
        System.out.println(total);
    }
}
