/* SPDX-License-Identifier: MIT */
/* Backtracking that goes deep: long inputs, and a StackOverflowError caught. */
import java.util.regex.Pattern;

public class RegexDeep {
    public static void main(String[] args) {
        String text = "ab".repeat(500);
        System.out.println(Pattern.matches("(?:ab)*", text));
        System.out.println(Pattern.matches("(a|b)*", "ab".repeat(200)));
        System.out.println(Pattern.compile("a*b*a*b*a*c").matcher("aabb".repeat(30)).find());
        System.out.println(Pattern.matches("(x+x+)+y", "x".repeat(15)));
        System.out.println(Pattern.matches("[^,]*(,[^,]*){20}", ",".repeat(20)));
        try {
            System.out.println(Pattern.matches("(a|b|cd)*", "ab".repeat(4_000_000)));
        } catch (StackOverflowError e) {
            System.out.println("too deep");
        }
        System.out.println(Pattern.matches("(?:a|b|cd)*+", "abcd".repeat(50)));
    }
}
