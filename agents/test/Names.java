// SPDX-License-Identifier: MIT
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs a class and a thread whose names hold what would break a line or move a cursor.
 * Class files may have such names, although the Java language has not (JVMS 4.2.2).
 */
public class Names {
    /** Gets other names before it is loaded: each as long as the one that it replaces. */
    public static class Twisted implements Runnable {
        static int count;

        @Override
        public void run() {
            gnarled();
        }

        static void gnarled() {
            count++;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define() throws Exception {
            byte[] bytes;

            try (InputStream in = Names.class.getResourceAsStream("Names$Twisted.class")) {
                bytes = in.readAllBytes();
            }
            String text = new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("Names$Twisted", "Names\nTwi\033\t\\d")
                .replace("gnarled", "gn\nar\re");
            bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static Object kept;

    public static void main(String[] args) throws Exception {
        Runnable odd = (Runnable) new Loader().define().getConstructor().newInstance();
        Thread thread = new Thread(odd, "thr\nead\033[2J;x\0y");

        kept = odd;
        thread.start();
        thread.join();
        System.out.println("ran");
    }
}
