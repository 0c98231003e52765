/* SPDX-License-Identifier: MIT */
/* String concatenation through invokedynamic, with every type and shape. */
public class Concat {
    static int calls;

    static String side(String s) {
        calls++;
        return s + calls;
    }

    @Override
    public String toString() {
        return "Concat#" + calls;
    }

    public static void main(String[] args) {
        boolean z = true;
        byte b = -1;
        char c = 'c';
        short s = -2;
        int i = 3;
        long j = -4L;
        float f = 0.5f;
        double d = 1e100;
        Object n = null;
        char[] chars = { 'x' };
        System.out.println("" + z + b + c + s + i + j + f + d + n);
        System.out.println(z + "," + b + "," + c + "," + s + "," + i + "," + j + "," + f
                           + "," + d + "," + n);
        System.out.println(side("a") + side("b") + side("c"));
        System.out.println(new Concat() + "\u0001\u0002" + new Concat());
        System.out.println(i + i + "x" + i + i);
        System.out.println("\u00e9" + c + "\u4e2d" + i);
        String text = "acc";
        text += 1;
        text += 'c';
        text += 2.5;
        text += null;
        System.out.println(text);
        String[] array = { "p" };
        int k = 0;
        array[k++] += "q" + k;
        System.out.println(array[0] + k);
        final String constant = "con" + "stant" + 1;
        System.out.println(constant == "constant1");
        System.out.println(("a" + c) == ("a" + c));
        System.out.println(("a" + c).intern() == "ac");
        String nothing = null;
        System.out.println(nothing + nothing);
        System.out.println(("" + nothing).length());
        String big = "" + i + i + i + i + i + i + i + i + i + i + j + j + j + j + j + j + j
            + "mid" + d + d + f + f + c + c + c + z + z + i + i + i + i + i + i + i;
        System.out.println(big);
        try {
            String t = "x" + new Object() {
                @Override
                public String toString() {
                    throw new IllegalStateException("toString");
                }
            };
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
