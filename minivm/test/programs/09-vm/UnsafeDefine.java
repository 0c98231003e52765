/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
/* Unsafe.defineClass takes a part of an array, which has to be there, and a name. */
import java.io.InputStream;
import java.lang.reflect.*;
import java.security.ProtectionDomain;

public class UnsafeDefine {
    static class Defined {
        @Override
        public String toString() {
            return "defined";
        }
    }

    static Object unsafe;
    static Method define;

    static void attempt(String name, byte[] bytes, int start, int count) throws Exception {
        ClassLoader loader = new ClassLoader(null) { };
        try {
            Class<?> c = (Class<?>)define.invoke(unsafe, name, bytes, start, count, loader,
                                                 null);
            System.out.println(c.getName() + " " + (c.getClassLoader() == loader));
        } catch (InvocationTargetException e) {
            String text = e.getCause().toString();
            System.out.println(text.substring(0, Math.min(text.length(), 110)));
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Class.forName("jdk.internal.misc.Unsafe");
        unsafe = c.getMethod("getUnsafe").invoke(null);
        define = c.getMethod("defineClass", String.class, byte[].class, int.class,
                             int.class, ClassLoader.class, ProtectionDomain.class);
        byte[] file;
        try (InputStream in =
                 UnsafeDefine.class.getResourceAsStream("UnsafeDefine$Defined.class")) {
            file = in.readAllBytes();
        }
        byte[] padded = new byte[file.length + 20];
        System.arraycopy(file, 0, padded, 7, file.length);
        attempt("UnsafeDefine$Defined", file, 0, file.length);
        attempt("UnsafeDefine$Defined", padded, 7, file.length);
        attempt(null, padded, 7, file.length);
        attempt("Another", file, 0, file.length);
        attempt("x".repeat(70000), file, 0, file.length);
        byte[] ten = new byte[10];
        attempt("Short", ten, 0, 11);
        attempt("Short", ten, 8, 5);
        attempt("Short", ten, -1, 5);
        attempt("Short", ten, 11, 0);
        attempt("Short", ten, Integer.MAX_VALUE, Integer.MAX_VALUE);
        attempt("Short", ten, 0, -1);
        attempt("Short", null, 0, 1);
    }
}
