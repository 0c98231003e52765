import java.io.InputStream;

/** Classes that a loader refused: defined twice, or not told about. */
public class Duplicates {
    static class Victim {
        static final String NAME = "victim";

        String name() {
            return NAME + "!";
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        String name = "Duplicates$Victim";
        byte[] bytes;
        try (InputStream in = Duplicates.class.getResourceAsStream(name + ".class")) {
            bytes = in.readAllBytes();
        }
        Loader loader = new Loader();
        Class<?> first = loader.define(name, bytes);
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            try {
                loader.define(name, bytes);
            } catch (LinkageError e) {
                refused++;
            }
            if (i % 20 == 0) {
                System.gc();
                new Loader().define(name, bytes);
            }
        }
        System.gc();
        System.gc();
        System.out.println("refused " + refused + ", defined by the loader "
                           + (first.getClassLoader() == loader));
    }
}
