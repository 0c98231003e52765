/* SPDX-License-Identifier: MIT */
/* Constants: wide strings, interned identity, class literals, long tables. */
public class ConstantPool {
    static final String LONG;

    static {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 70000; i++) {
            sb.append((char) ('a' + i % 26));
        }
        LONG = sb.toString();
    }

    static int[] big() {
        return new int[] {
            100000, -100000, 32768, -32769, 65536, 1 << 20, 0x12345678, 0xdeadbeef,
        };
    }

    public static void main(String[] args) {
        System.out.println(LONG.hashCode() + " " + LONG.length());
        String a = "interned", b = new String("interned");
        System.out.println(a == b);
        System.out.println(a == b.intern());
        System.out.println(a == ("inter" + "ned"));
        System.out.println(Other.SAME == a);
        System.out.println("nul\0and\u0080\u07ff\u0800\uffff".length());
        System.out.println("nul\0and\u0080\u07ff\u0800\uffff".hashCode());
        System.out.println("\ud83d\ude00".codePointAt(0));
        System.out.println(String.class + " " + int.class + " " + Other[].class);
        System.out.println(java.util.Arrays.hashCode(big()));
        System.out.println(0x7fffffffffffffffL + " " + 1.0e-310 + " " + 1.4e-45f);
        System.out.println((0.0f == -0.0f) + " " + (1 / 0.0f) + " " + (1 / -0.0f));
        System.out.println(Double.doubleToRawLongBits(0x1.fffffffffffffp1023));
        char c = '\uffff';
        System.out.println((int) c + " " + '\'' + " " + (int) '\7');
        System.out.println(1_000_000 + 0b1010 + 017 + 0xFFL);
    }

    static class Other {
        static final String SAME = "interned";
    }
}
