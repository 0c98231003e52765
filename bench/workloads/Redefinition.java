// SPDX-License-Identifier: MIT
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** New versions of a class of a few methods, by agents/redefine.c: seconds for 1000. */
public class Redefinition {
    static class Small {
        private int count;

        int add(int n) {
            for (int i = 0; i < n; i++)
                count += i;
            return count;
        }

        String text() {
            return "one";
        }

        Runnable later() {
            return () -> count++;
        }

        static long square(long n) {
            return n * n;
        }
    }

    static native double retransform(Class<?> c, int count);
    static native double redefine(Class<?> c, byte[] one, byte[] two, int count);

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        byte[] one;
        try (InputStream in = Redefinition.class
                 .getResourceAsStream("Redefinition$Small.class")) {
            one = in.readAllBytes();
        }
        byte[] two = new String(one, StandardCharsets.ISO_8859_1)
            .replace("\3one", "\3two").getBytes(StandardCharsets.ISO_8859_1);
        Small small = new Small();
        small.add(10);
        small.later().run();
        retransform(Small.class, count / 10);
        System.out.println("retransform " + retransform(Small.class, count) * 1000 / count);
        redefine(Small.class, one, two, count / 10);
        System.out.println("redefine "
                           + redefine(Small.class, one, two, count) * 1000 / count);
        if (!small.text().equals("two"))
            throw new AssertionError(small.text());
    }
}
