/* SPDX-License-Identifier: MIT */
/* Text blocks, escapes, and strings with every kind of character. */
public class TextBlocks {
    public static void main(String[] args) {
        String block = """
            {
              "name": "value",\t"n": 1
                indented \
            joined
              trailing   \s
            \"""quoted\"""
            }
            """;
        System.out.print(block);
        System.out.println(block.length() + " " + block.hashCode());
        System.out.println("""
            no newline at end""".length());
        System.out.println("tab\tquote\"back\\slash\u0041\101\0end".length());
        String s = "caf\u00e9 \u03b1\u03b2\u03b3 \u4e2d\u6587 \ud83d\ude00!";
        System.out.println(s);
        System.out.println(s.length() + " " + s.codePointCount(0, s.length()));
        System.out.println(s.codePointAt(s.indexOf("\ud83d")));
        System.out.println("\r\n".strip().isEmpty() + " " + "a\u2003".strip().length());
        System.out.println(" x\n  y\n".indent(2).replace(' ', '.'));
        System.out.println("  a\n    b\n  c".stripIndent());
        System.out.println("a\\tb\\101".translateEscapes().length());
        System.out.println("l1\nl2\r\nl3\rl4".lines().count());
        System.out.println("%d-%s".formatted(4, "x"));
        System.out.println("ab".repeat(3) + "|" + "ab".repeat(0) + "|");
        String twice = "x".transform(t -> t + t);
        System.out.println(twice);
        System.out.println("\ud800".equals("?") + " " + (int) "\ud800".charAt(0));
    }
}
