// SPDX-License-Identifier: MIT
// since: 25
import java.io.*;
import java.text.ListFormat;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.regex.Pattern;

/** What texts learnt: splitting with delimiters, emoji, ranges, lists, locales, readers. */
public class TextAdditions {
    public static void main(String[] args) throws Exception {
        System.out.println(Arrays.toString("a,b;;c".splitWithDelimiters("[,;]", 0)));
        System.out.println(Arrays.toString("a,b;;c".splitWithDelimiters("[,;]", 2)));
        System.out.println(Arrays.toString(Pattern.compile("\\d+").splitWithDelimiters("x12y345z", -1)));
        String text = "the cat and the hat and the bat";
        System.out.println(text.indexOf('t', 5, 10) + " " + text.indexOf("the", 1, 15) + " "
            + text.indexOf("the", 1, 14) + " " + text.indexOf("", 31, 31));
        try {
            text.indexOf('t', 5, 100);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        StringBuilder b = new StringBuilder("[").repeat('=', 5).repeat("ab", 3).repeat(0x1f600, 2).append(']');
        System.out.println(b.length() + " " + b.codePointCount(0, b.length()) + " " + b.indexOf("ba"));
        System.out.println(Character.isEmoji(0x1f600) + " " + Character.isEmoji('a') + " "
            + Character.isEmojiModifier(0x1f3fb) + " " + Character.isEmojiPresentation(0x231a) + " "
            + Character.isExtendedPictographic(0xa9));
        System.out.println(text.chars().filter(c -> c == 'a').count() + " " + "equal".equalsIgnoreCase("EQUAL"));
        Locale english = Locale.of("en", "GB"), german = Locale.of("de");
        ListFormat and = ListFormat.getInstance(english, ListFormat.Type.STANDARD, ListFormat.Style.FULL);
        ListFormat or = ListFormat.getInstance(german, ListFormat.Type.OR, ListFormat.Style.FULL);
        for (int n = 1; n <= 4; n++)
            System.out.println(and.format(List.of("a", "b", "c", "d").subList(0, n)) + " | "
                + or.format(List.of("x", "y", "z", "w").subList(0, n)));
        System.out.println(and.parse("a, b and c"));
        System.out.println(DateTimeFormatter.ofLocalizedPattern("yMMMd").withLocale(english)
            .format(LocalDate.of(2025, 9, 16)));
        System.out.println(Duration.ofSeconds(100).equals(Instant.EPOCH.until(Instant.ofEpochSecond(100))));
        System.out.println(Instant.MIN.isBefore(Instant.EPOCH) + " " + HexFormat.isHexDigit('g'));
        try (Reader r = Reader.of(new StringBuilder("line one\nline two"))) {
            BufferedReader lines = new BufferedReader(r);
            System.out.println(lines.readLine() + "/" + lines.readLine() + "/" + lines.readLine());
        }
        Reader all = Reader.of("first\r\nsecond\n\nlast");
        System.out.println(all.readAllLines());
        System.out.println("'" + Reader.of("as a string").readAllAsString() + "'");
        CharSequence s = "sequence";
        char[] target = new char[5];
        s.getChars(2, 7, target, 0);
        System.out.println(new String(target) + " " + Character.toString(0x41) + " "
            + Character.codePointOf("LATIN SMALL LETTER A"));
        System.out.println(Locale.forLanguageTag("en-Latn-US-x-any").getScript() + " "
            + Locale.caseFoldLanguageTag("EN-latn-us") + " " + english.getDisplayCountry(english));
        System.out.println(String.join("|", new StringTokenizerLike("a b  c")));
    }

    /** An Iterable that tokens come from by the newer indexOf. */
    static class StringTokenizerLike implements Iterable<String> {
        final String text;

        StringTokenizerLike(String text) {
            this.text = text;
        }

        @Override
        public Iterator<String> iterator() {
            List<String> found = new ArrayList<>();
            int at = 0;
            while (at <= text.length()) {
                int next = text.indexOf(' ', at, text.length());
                if (next < 0)
                    next = text.length();
                if (next > at)
                    found.add(text.substring(at, next));
                at = next + 1;
            }
            return found.iterator();
        }
    }
}
