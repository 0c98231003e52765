/* SPDX-License-Identifier: MIT */
/* JVM TI on a frame of 65,535 locals and 65,535 operands: its locals, single steps in it,
   popping of the frame that it called, redefinition of its class while it is there, and
   an early return from it. */
import java.io.*;
import java.util.*;

public class FarLocals extends ClassLoader {
    static final int LOCALS = 65535, STACK = 65535;

    static native void look(int slot, int number);
    static native void setSteps(boolean on);
    static native int entered();
    static native void redefine(Class<?> c, byte[] file);
    static native void leaveEarly(Class<?> c, int location, int value);
    static native void check(String name, boolean ok);

    /** The agent pops its frame once, as it begins. */
    public static int again(int n) {
        return n + 1;
    }

    public static void early() {
        System.gc();
    }

    /** Set while a call of Far.run has its class redefined. */
    static Class<?> redefined;

    public static void look(int number) throws IOException {
        look(40000, number);
        if (redefined != null)
            redefine(redefined, far(5));
    }

    static byte[] u2(int... values) {
        byte[] b = new byte[2 * values.length];

        for (int i = 0; i < values.length; i++) {
            b[2 * i] = (byte)(values[i] >> 8);
            b[2 * i + 1] = (byte)values[i];
        }
        return b;
    }

    static void wide(ByteArrayOutputStream code, int opcode, int slot) {
        code.write(0xc4);
        code.write(opcode);
        code.writeBytes(u2(slot));
    }

    static void call(ByteArrayOutputStream code, int index) {
        code.write(0xb8);
        code.writeBytes(u2(index));
    }

    /** Where the ireturn of Far.run is. */
    static int returnAt;

    /** class Far { static int run(int number, Object o) } of version 49.  When more is not 0
        the result is greater by it. */
    static byte[] far(int more) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        String[] texts = { "Far", "java/lang/Object", "run", "(ILjava/lang/Object;)I", "Code",
                           "FarLocals", "look", "(I)V", "again", "(I)I", "early", "()V" };
        int[][] calls = { { 7, 8 }, { 9, 10 }, { 11, 12 } };

        out.write(u2(0xcafe, 0xbabe, 0, 49, 1 + texts.length + 3 + 6));
        for (String text : texts) {
            out.writeByte(1);
            out.writeUTF(text);
        }
        for (int name : new int[] { 1, 2, 6 }) { // 13, 14, 15
            out.writeByte(7);
            out.writeShort(name);
        }
        for (int i = 0; i < 3; i++) { // 16 to 21
            out.writeByte(12);
            out.write(u2(calls[i]));
            out.writeByte(10);
            out.write(u2(15, 16 + 2 * i));
        }
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        code.write(0x1a);              // iload_0
        wide(code, 0x36, 40000);       // istore
        code.write(0x0a);              // lconst_1
        wide(code, 0x37, 40001);       // lstore
        code.write(0x0f);              // dconst_1
        wide(code, 0x39, 65533);       // dstore
        code.write(0x0c);              // fconst_1
        wide(code, 0x38, 40003);       // fstore
        code.write(0x2b);              // aload_1
        wide(code, 0x3a, 40004);       // astore
        for (int i = 0; i < (STACK - 3) / 2; i++)
            code.write(0x0a);
        wide(code, 0x15, 40000);       // iload
        call(code, 17);                // look
        call(code, 21);                // early
        wide(code, 0x15, 40000);
        call(code, 19);                // again
        if (more != 0) {
            code.write(0x10);          // bipush
            code.write(more);
            code.write(0x60);          // iadd
        }
        returnAt = code.size();
        code.write(0xac);              // ireturn
        out.write(u2(0x21, 13, 14, 0, 0, 1, 9, 3, 4, 1, 5));
        out.writeInt(12 + code.size());
        out.write(u2(STACK, LOCALS));
        out.writeInt(code.size());
        code.writeTo(out);
        out.write(u2(0, 0, 0));
        return file.toByteArray();
    }

    static void run(boolean steps) {
        try {
            byte[] file = far(0);
            Class<?> c = new FarLocals().defineClass("Far", file, 0, file.length);
            var run = c.getMethod("run", int.class, Object.class);
            setSteps(steps);
            Object result = run.invoke(null, 7, "object");
            setSteps(false);
            check("the changed local came back", result.equals(108));
            check("the popped frame came back", entered() == 2);
            redefined = c;
            check("the old version ended as it began", run.invoke(null, 7, "object").equals(108));
            redefined = null;
            check("then the new one runs", run.invoke(null, 7, "object").equals(113));
            leaveEarly(c, returnAt, 55);
            check("an early return", run.invoke(null, 7, "object").equals(55));
            check("only one", run.invoke(null, 7, "object").equals(113));
        } catch (ReflectiveOperationException | IOException e) {
            e.printStackTrace();
            check("no exception", false);
        }
    }

    public static void main(String[] args) throws Exception {
        for (boolean steps : new boolean[] { false, true }) {
            Thread t = new Thread(null, () -> run(steps), "large", 8 << 20);
            t.start();
            t.join();
        }
    }
}
