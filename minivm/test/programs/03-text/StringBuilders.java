/* SPDX-License-Identifier: MIT */
/* StringBuilder and StringBuffer: inserts, deletes, growth, coder changes. */
public class StringBuilders {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder("abc");
        sb.append(1).append(2L).append(3.5f).append(4.5).append(true).append('c')
            .append((Object) null).append(new char[] { 'x', 'y' }).append("tail", 1, 3)
            .append(new StringBuilder("sb")).append((String) null);
        System.out.println(sb);
        sb.insert(0, "head ").insert(5, 42).insert(3, 'Z').insert(0, false).insert(1, 1.5);
        System.out.println(sb + " " + sb.length());
        sb.delete(2, 6).deleteCharAt(0).replace(1, 4, "[replaced]").setCharAt(2, '#');
        System.out.println(sb);
        sb.append('\u4e2d').append("\ud83d\ude00").appendCodePoint(0x1f601);
        System.out.println(sb + " " + sb.codePointCount(0, sb.length()));
        System.out.println(sb.reverse());
        sb.setLength(5);
        System.out.println(sb + "|" + sb.indexOf("d") + " " + sb.lastIndexOf("d"));
        sb.setLength(8);
        System.out.println((int) sb.charAt(7));
        System.out.println(sb.compareTo(new StringBuilder("b")) > 0);
        StringBuilder big = new StringBuilder();
        for (int i = 0; i < 20000; i++) {
            big.append(i);
            if (i % 1000 == 0) {
                big.append('\u03b1');
            }
        }
        System.out.println(big.length() + " " + big.toString().hashCode());
        StringBuffer buffer = new StringBuffer();
        buffer.append(Long.MIN_VALUE).append(Integer.MIN_VALUE).append(-0.0)
            .append(Float.MIN_VALUE).insert(3, "ins");
        System.out.println(buffer + " " + buffer.capacity());
        try {
            sb.insert(100, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            sb.deleteCharAt(-1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        char[] out = new char[4];
        new StringBuilder("getChars").getChars(2, 5, out, 1);
        System.out.println(out[0] == 0 ? new String(out, 1, 3) : "bad");
        System.out.println(new StringBuilder("x").chars().map(c -> c + 1).sum());
        System.out.println(new StringBuilder().append("a").equals(new StringBuilder("a")));
    }
}
