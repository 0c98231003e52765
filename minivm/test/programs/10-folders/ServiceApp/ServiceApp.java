/* SPDX-License-Identifier: MIT */
import java.util.*;

/* Providers of one's own through META-INF/services. */
public class ServiceApp {
    public interface Codec {
        String encode(String s);
    }

    public static class Upper implements Codec {
        @Override
        public String encode(String s) {
            return s.toUpperCase();
        }
    }

    public static class Reverse implements Codec {
        @Override
        public String encode(String s) {
            return new StringBuilder(s).reverse().toString();
        }
    }

    public static class Failing implements Codec {
        public Failing() {
            throw new IllegalStateException("provider fails");
        }

        @Override
        public String encode(String s) {
            return s;
        }
    }

    public static void main(String[] args) {
        ServiceLoader<Codec> all = ServiceLoader.load(Codec.class);
        Iterator<Codec> it = all.iterator();
        while (true) {
            try {
                if (!it.hasNext()) {
                    break;
                }
                Codec c = it.next();
                System.out.println(c.getClass().getName() + " " + c.encode("abc"));
            } catch (ServiceConfigurationError e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(all.stream().map(p -> p.type().getSimpleName()).limit(2).toList());
        all.reload();
        System.out.println(all.findFirst().get().encode("first"));
    }
}
