/* SPDX-License-Identifier: MIT */
/* A dynamic constant that is a static argument of itself (JVMS 5.4.3.6). */
import java.io.*;
import java.lang.invoke.MethodHandles;

public class CircularCondy {
    public static Object bootstrap(MethodHandles.Lookup l, String name, Class<?> type,
                                   Object argument) {
        throw new AssertionError("its argument was resolved");
    }

    static void shorts(DataOutputStream out, int... values) throws IOException {
        for (int value : values)
            out.writeShort(value);
    }

    static void entry(DataOutputStream out, int tag, int... values) throws IOException {
        out.writeByte(tag);
        shorts(out, values);
    }

    /** class Circle { public static Object get() { return (the constant 19); } } */
    static byte[] circle() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(55);
        out.writeShort(20);
        for (String text : new String[] { "Circle", "java/lang/Object", "CircularCondy",
                "bootstrap", "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                + "Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;", "get",
                "()Ljava/lang/Object;", "c", "Ljava/lang/Object;", "Code",
                "BootstrapMethods" }) {
            out.writeByte(1);
            out.writeUTF(text);
        }
        entry(out, 7, 1);              /* 12 to 14: the classes */
        entry(out, 7, 2);
        entry(out, 7, 3);
        entry(out, 12, 4, 5);
        entry(out, 10, 14, 15);
        out.writeByte(15);             /* 17: a handle of REF_invokeStatic */
        entry(out, 6, 16);
        entry(out, 12, 8, 9);
        entry(out, 17, 0, 18);
        shorts(out, 0x21, 12, 13, 0, 0, 1, 9, 6, 7, 1, 10);
        out.writeInt(15);
        shorts(out, 1, 0, 0, 3);
        out.write(new byte[] { 18, 19, (byte)176 });
        shorts(out, 0, 0, 1, 11);
        out.writeInt(8);
        shorts(out, 1, 17, 1, 19);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Throwable {
        Class<?> circle = new ClassLoader() {
            Class<?> define(byte[] file) {
                return defineClass(null, file, 0, file.length);
            }
        }.define(circle());
        Thread thread = new Thread(() -> {
            try {
                circle.getMethod("get").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause().getClass());
            } catch (ReflectiveOperationException e) {
                System.out.println(e);
            }
        });
        thread.start();
        thread.join();
        System.out.println("goes on");
    }
}
