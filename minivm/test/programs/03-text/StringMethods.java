/* SPDX-License-Identifier: MIT */
/* java.lang.String: searching, comparing, splitting, both coders. */
import java.nio.charset.StandardCharsets;
import java.util.*;

public class StringMethods {
    public static void main(String[] args) throws Exception {
        String[] texts = { "", "a", "hello world", "caf\u00e9 cr\u00e8me", "\u4e2d\u6587\u5b57",
                           "mixed \u03a9 text", "\ud83d\ude00\ud83d\ude01", "  pad\t\n" };
        for (String s : texts) {
            System.out.println(s.length() + " " + s.hashCode() + " " + s.isBlank() + " "
                + s.toUpperCase(Locale.ROOT) + " " + s.indexOf('o') + " " + s.lastIndexOf("t")
                + " " + s.trim() + "|" + s.strip() + "|" + new StringBuilder(s).reverse());
            System.out.println(Arrays.toString(s.getBytes(StandardCharsets.UTF_8)) + " "
                + Arrays.toString(s.getBytes(StandardCharsets.ISO_8859_1)) + " "
                + s.getBytes(StandardCharsets.UTF_16).length);
            System.out.println(s.equals(new String(s.getBytes(StandardCharsets.UTF_8),
                StandardCharsets.UTF_8)) + " " + s.chars().sum() + " "
                + s.codePoints().count());
            for (String t : texts) {
                System.out.print(Integer.signum(s.compareTo(t)) + " " + s.contains(t) + " "
                    + s.startsWith(t) + s.endsWith(t) + s.equalsIgnoreCase(t) + ",");
            }
            System.out.println();
        }
        System.out.println(Arrays.toString("a,b,,c,,".split(",")));
        System.out.println(Arrays.toString("a,b,,c,,".split(",", -1)));
        System.out.println(Arrays.toString("a1b22c".split("[0-9]+", 2)));
        System.out.println(Arrays.toString("abc".split("")));
        System.out.println(String.join("-", "x", "y", "z") + String.join("/", List.of("q")));
        System.out.println("a.b.c".replace('.', '/') + "aaa".replace("aa", "b")
                           + "x1y2".replaceAll("([a-z])(\\d)", "$2$1"));
        System.out.println("banana".indexOf("an", 2) + " " + "banana".lastIndexOf("an", 2));
        System.out.println("hello".regionMatches(true, 1, "ELL", 0, 3));
        System.out.println("Stra\u00dfe".toUpperCase(Locale.ROOT) + "\u0130".toLowerCase(Locale.ROOT)
            .length() + "TITLE".toLowerCase(new Locale("tr")));
        System.out.println("hello".substring(1, 3) + "hello".subSequence(3, 5)
                           + "hello".charAt(4));
        System.out.println(String.valueOf(new char[] { 'a', 'b', 'c' }, 1, 2)
            + new String(new int[] { 0x1f600, 65 }, 0, 2) + String.copyValueOf(new char[] { 'z' }));
        System.out.println("b".compareToIgnoreCase("A") + " " + "abc".contentEquals(
            new StringBuilder("abc")));
        System.out.println(String.CASE_INSENSITIVE_ORDER.compare("ABC", "abd"));
        int[] bad = { -1, 5, 6 };
        for (int i : bad) {
            try {
                System.out.println("hello".charAt(i));
            } catch (StringIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                System.out.println("hello".substring(i));
            } catch (StringIndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(new String(new byte[] { (byte) 0xc3, 0x28, 65 },
            StandardCharsets.UTF_8).length());
        System.out.println(new String(new byte[] { 65, (byte) 0xe9 }, "windows-1252"));
        try {
            "x".getBytes("no-such-charset");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e.getMessage());
        }
    }
}
