// SPDX-License-Identifier: MIT
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;

/** A class and its row of InnerClasses may disagree about what it is. */
public class InnerFlags {
    interface Shape { }

    static class Plain { }

    enum Colour { RED }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /** Where the flags are in the row of the class itself. */
    static int flagsOfRow(byte[] bytes, String name) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipBytes(8);
        Object[] constants = new Object[in.readUnsignedShort()];
        for (int i = 1; i < constants.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
            case 1 -> constants[i] = in.readUTF();
            case 7 -> constants[i] = in.readUnsignedShort();
            case 8, 16, 19, 20 -> in.skipBytes(2);
            case 15 -> in.skipBytes(3);
            case 5, 6 -> {
                in.skipBytes(8);
                i++;
            }
            default -> in.skipBytes(4);
            }
        }
        in.skipBytes(6);
        in.skipBytes(2 * in.readUnsignedShort());
        for (int kind = 0; kind < 2; kind++) {
            for (int members = in.readUnsignedShort(); members > 0; members--) {
                in.skipBytes(6);
                for (int n = in.readUnsignedShort(); n > 0; n--) {
                    in.skipBytes(2);
                    in.skipBytes(in.readInt());
                }
            }
        }
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            String attribute = (String) constants[in.readUnsignedShort()];
            int length = in.readInt();
            if (!attribute.equals("InnerClasses")) {
                in.skipBytes(length);
                continue;
            }
            for (int rows = in.readUnsignedShort(); rows > 0; rows--) {
                int inner = (Integer) constants[in.readUnsignedShort()];
                in.skipBytes(4);
                if (name.equals(constants[inner]))
                    return bytes.length - in.available();
                in.skipBytes(2);
            }
        }
        throw new AssertionError("no row for " + name);
    }

    static void describe(String what, Class<?> c) {
        System.out.println(what + ": " + c + ", " + Modifier.toString(c.getModifiers())
            + ", interface " + c.isInterface() + ", annotation " + c.isAnnotation()
            + ", enum " + c.isEnum() + ", array " + c.isArray() + ", primitive "
            + c.isPrimitive() + ", extends " + c.getSuperclass());
        try {
            System.out.println("  " + c.toGenericString());
        } catch (RuntimeException | LinkageError e) {
            System.out.println("  " + e);
        }
    }

    static void change(Class<?> c, int bits) throws IOException {
        byte[] bytes = InnerFlags.class.getResourceAsStream(c.getName() + ".class")
            .readAllBytes();
        int at = flagsOfRow(bytes, c.getName());
        bytes[at] ^= (byte) (bits >> 8);
        bytes[at + 1] ^= (byte) bits;
        String what = c.getSimpleName() + " ^ " + Integer.toHexString(bits);
        try {
            describe(what, new Loader().define(bytes));
        } catch (ClassFormatError e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws IOException {
        for (Class<?> c : new Class<?>[] { Shape.class, Plain.class, Colour.class }) {
            change(c, 0);
            change(c, Modifier.INTERFACE);
            change(c, 0x2000);
            change(c, 0x4000);
        }
        describe("array", Shape[].class);
        describe("primitive", int.class);
    }
}
