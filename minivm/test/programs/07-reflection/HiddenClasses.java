/* SPDX-License-Identifier: MIT */
/* Lookup.defineHiddenClass and defineClass; class data; nestmates. */
import java.io.InputStream;
import java.lang.invoke.*;
import java.lang.reflect.*;

public class HiddenClasses {
    private static int secret = 5;

    public static class Template {
        static int made;
        final int id = ++made;

        public int readSecret() {
            return 1000;
        }

        public String where() {
            return new Throwable().getStackTrace().length + "";
        }

        @Override
        public String toString() {
            return "template " + id;
        }
    }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = HiddenClasses.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    static int privately() {
        return secret++;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        byte[] b = bytes("HiddenClasses$Template");
        MethodHandles.Lookup h1 = l.defineHiddenClass(b, true);
        MethodHandles.Lookup h2 = l.defineHiddenClass(b, false, MethodHandles.Lookup.ClassOption.NESTMATE);
        Class<?> c1 = h1.lookupClass(), c2 = h2.lookupClass();
        System.out.println(c1.isHidden() + " " + (c1 == c2) + " " + c1.getName().replaceAll(
            "/.*", "/") + " "
            + (c1.getCanonicalName() == null) + " " + c1.getClassLoader().equals(
                HiddenClasses.class.getClassLoader()));
        Object o1 = c1.getConstructor().newInstance(), o2 = c2.getConstructor().newInstance();
        System.out.println(o1 + " " + o2 + " " + c1.getConstructor().newInstance() + " "
            + c1.isInstance(o2) + " " + c1.isInstance(o1));
        System.out.println((c2.getNestHost() == HiddenClasses.class) + " " + (c1.getNestHost() == c1)
            + " " + c1.getMethod("readSecret").invoke(o1));
        try {
            Class.forName(c1.getName());
        } catch (ClassNotFoundException e) {
            System.out.println("cannot be found by name");
        }
        System.out.println(c1.descriptorString().matches("LHiddenClasses\\$Template\\.0x.*;") + " "
            + c1.arrayType().getName().startsWith("[LHidden") + " " + c1.isSynthetic());
        try {
            c1.getSimpleName();
        } catch (IncompatibleClassChangeError e) {
            System.out.println(e.getMessage().replaceAll("0x[0-9a-f]+", "0x"));
        }
        Field f = c1.getDeclaredField("id");
        f.setAccessible(true);
        try {
            f.setInt(o1, 9);
        } catch (IllegalAccessException e) {
            System.out.println("final field of a hidden class");
        }
        MethodHandles.Lookup data = l.defineHiddenClassWithClassData(b, "class data", true);
        System.out.println(MethodHandles.classData(data, "_", String.class));
        try {
            l.defineHiddenClass(new byte[] { 1, 2, 3 }, true);
        } catch (ClassFormatError e) {
            System.out.println(e.getMessage().replaceAll("0x[0-9a-f]+", "0x"));
        }
        try {
            l.defineClass(b);
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        MethodHandle mh = h1.findVirtual(c1, "toString", MethodType.methodType(String.class));
        System.out.println((Object) mh.invoke(o1));
        Runnable lambda = () -> System.out.println("secret " + privately());
        lambda.run();
        System.out.println(lambda.getClass().getNestHost() == HiddenClasses.class);
    }
}
