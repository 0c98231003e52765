/* SPDX-License-Identifier: MIT */
/* Boxing caches, unboxing of null, comparisons, mixed conditionals. */
public class Boxing {
    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        System.out.println(a == b);
        System.out.println(c == d);
        System.out.println(c.equals(d));
        Long l = 127L, m = 127L;
        System.out.println(l == m);
        System.out.println(l.equals(127));
        Character x = 'x';
        System.out.println(x == Character.valueOf('x'));
        System.out.println((Object) (true ? 1 : 2.0));
        System.out.println(true ? null : 0);
        System.out.println((Object) (char) 98);
        int sum = 0;
        for (Integer i = 0; i < 300; i++) {
            sum += i;
        }
        System.out.println(sum);
        try {
            Integer none = null;
            int i = none;
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        Object o = 5;
        System.out.println(o.getClass().getName());
        System.out.println(Integer.MIN_VALUE == -Integer.MIN_VALUE);
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN));
        System.out.println(Double.NaN == Double.NaN);
        System.out.println(Double.valueOf(0.0).equals(-0.0));
        System.out.println(Integer.toString(-255, 16));
        System.out.println(Integer.toBinaryString(-8 >>> 20));
        System.out.println(Long.toHexString(-1L));
        System.out.println(Integer.toUnsignedString(-1));
        System.out.println(Long.divideUnsigned(-1L, 10));
        System.out.println(Integer.bitCount(0xf0f0));
        System.out.println(Long.numberOfTrailingZeros(1L << 44));
        System.out.println(Integer.reverse(1));
        System.out.println(Integer.highestOneBit(1000));
        System.out.println(Long.reverseBytes(1L));
        System.out.println(Character.isLetter('\u00e9'));
        System.out.println(Integer.parseInt("-2147483648"));
        System.out.println(Double.parseDouble("1e-320"));
        System.out.println(Float.parseFloat("0x1.8p1"));
        try {
            Integer.parseInt("12x");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }
}
