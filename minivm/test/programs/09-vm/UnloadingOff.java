/* SPDX-License-Identifier: MIT */
// vm: -Xnoclassgc
/* Without class unloading a class outlives its loader's last user, statics and all. */
import java.io.InputStream;
import java.lang.ref.WeakReference;

public class UnloadingOff {
    public static class Payload {
        public static Object data = new Object();
    }

    static class Own extends ClassLoader {
        Own() {
            super(null);
        }

        WeakReference<?> data() throws Exception {
            try (InputStream in = Own.class.getResourceAsStream("/UnloadingOff$Payload.class")) {
                byte[] file = in.readAllBytes();
                Class<?> c = defineClass(null, file, 0, file.length);
                return new WeakReference<>(c.getField("data").get(null));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        WeakReference<?> data = new Own().data();
        WeakReference<?> other = new WeakReference<>(new Object());

        while (other.get() != null)
            System.gc();
        System.gc();
        System.out.println("still there: " + (data.get() != null));
    }
}
