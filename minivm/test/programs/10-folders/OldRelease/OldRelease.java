/* SPDX-License-Identifier: MIT */
import java.util.*;

/* Compiled for release 8: no nestmates, no indy strings, old frames. */
public class OldRelease {
    private int secret = 1;
    private static String shared = "s";

    class Inner {
        private int own = secret++ + 5;

        private String read() {
            return shared += secret + "," + own;
        }
    }

    private static int hidden(long a) {
        return (int) a + 1;
    }

    interface Shape {
        default String name() {
            return "shape" + hidden(4);
        }
    }

    public static void main(String[] args) throws Exception {
        OldRelease o = new OldRelease();
        Inner i = o.new Inner();
        System.out.println(i.read() + i.own + o.secret);
        System.out.println(new Shape() { }.name());
        List<String> list = new ArrayList<>(Arrays.asList("b", "a"));
        list.sort(Comparator.naturalOrder());
        list.forEach(s -> System.out.println(s + shared));
        String s = "x";
        switch (s) {
        case "x":
            System.out.println("switch " + s + 1 + 'c' + 2.0 + null);
            break;
        default:
            break;
        }
        System.out.println(Class.class.getMethod("getNestHost").invoke(Inner.class));
        int synthetic = 0;
        for (java.lang.reflect.Method m : OldRelease.class.getDeclaredMethods()) {
            synthetic += m.isSynthetic() && m.getName().startsWith("access$") ? 1 : 0;
        }
        System.out.println(synthetic > 3);
        assert synthetic < 0;
    }
}
