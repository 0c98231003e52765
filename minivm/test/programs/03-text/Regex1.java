/* SPDX-License-Identifier: MIT */
/* java.util.regex: groups, lookaround, flags, replacement, results. */
import java.util.*;
import java.util.regex.*;
import java.util.stream.Collectors;

public class Regex1 {
    static void all(String regex, String text, int flags) {
        Matcher m = Pattern.compile(regex, flags).matcher(text);
        StringBuilder sb = new StringBuilder(regex + ":");
        while (m.find()) {
            sb.append(' ').append(m.start()).append('-').append(m.end());
            for (int i = 0; i <= m.groupCount(); i++) {
                sb.append('<').append(m.group(i)).append('>');
            }
        }
        System.out.println(sb);
    }

    public static void main(String[] args) {
        all("(\\w+)@(\\w+)\\.com", "joe@home.com, ann@work.com", 0);
        all("a*", "baaac", 0);
        all("a+?", "aaa", 0);
        all("a++a", "aaa", 0);
        all("(?<=\\$)\\d+(?!\\d|\\.)", "$100 $20.5 30", 0);
        all("(a)|(b)|(c)", "cab", 0);
        all("(?i)straSSe", "Strasse STRASSE", 0);
        all("^\\w+$", "one\ntwo\nthree", Pattern.MULTILINE);
        all("a.c", "a\nc abc", Pattern.DOTALL);
        all("(x+)\\1", "xxxxx", 0);
        all("[a-c&&[^b]]+", "abcab", 0);
        all("\\p{Lu}\\p{L}*", "Hello \u00c9cole world", 0);
        all("\\bfoo\\b", "foo food foo", 0);
        all("(\\d{1,3})(?=(\\d{3})+$)", "1234567", 0);
        all("\u00e9", "\u00c9", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        all("a b # comment", "ab", Pattern.COMMENTS);
        all("a.b", "a.b axb", Pattern.LITERAL);
        all("\\R", "a\r\nb\nc", 0);
        all("(?:(a)|b)*", "abab", 0);
        Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)")
            .matcher("from 2020-01 to 2021-12");
        System.out.println(m.replaceAll("${month}/${year}"));
        System.out.println(m.replaceAll(r -> "" + r.group(1).length()));
        m.reset();
        StringBuilder sb = new StringBuilder();
        while (m.find()) {
            m.appendReplacement(sb, Integer.toString(Integer.parseInt(m.group("year")) + 1));
        }
        System.out.println(m.appendTail(sb));
        System.out.println(Pattern.compile("\\d+").matcher("a1b22c333").results()
            .map(MatchResult::group).collect(Collectors.toList()));
        System.out.println(Pattern.compile("\\s*,\\s*").splitAsStream("a , b,c ,d")
            .collect(Collectors.joining("|")));
        System.out.println(Pattern.matches("[a-z]+", "abc") + " "
            + Pattern.compile("b").matcher("abc").lookingAt() + " "
            + Pattern.compile("^a").asPredicate().test("abc"));
        Matcher hit = Pattern.compile("abc$").matcher("ab");
        System.out.println(hit.matches() + " " + hit.hitEnd());
        m = Pattern.compile("b+").matcher("abbabbb").region(3, 7);
        System.out.println(m.find() + " " + m.start() + " " + m.toMatchResult().end());
        System.out.println(Pattern.quote("a.b\\E") + " " + Matcher.quoteReplacement("$1\\"));
        for (String bad : new String[] { "(", "[a", "*a", "a{2,1}", "\\k<x>", "(?<1>a)" }) {
            try {
                Pattern.compile(bad);
            } catch (PatternSyntaxException e) {
                System.out.println(e.getDescription() + " " + e.getIndex());
            }
        }
        try {
            m.group(7);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            Pattern.compile("x").matcher("y").group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Integer> words = new TreeMap<>();
        Matcher w = Pattern.compile("\\w+").matcher("the cat and the dog and the bird");
        while (w.find()) {
            words.merge(w.group(), 1, Integer::sum);
        }
        System.out.println(words);
    }
}
