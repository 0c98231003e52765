/* SPDX-License-Identifier: MIT */
/* Collator, BreakIterator, Bidi and StringCharacterIterator. */
import java.text.*;
import java.util.*;

public class Collation {
    static void breaks(BreakIterator b, String s) {
        b.setText(s);
        StringBuilder sb = new StringBuilder();
        for (int from = b.first(), to = b.next(); to != BreakIterator.DONE;
             from = to, to = b.next()) {
            sb.append('[').append(s, from, to).append(']');
        }
        System.out.println(sb);
    }

    public static void main(String[] args) throws ParseException {
        String[] words = { "zebra", "\u00c4pfel", "apple", "Apple", "\u00e9t\u00e9", "ete", "Zoo" };
        Collator c = Collator.getInstance(Locale.FRANCE);
        Arrays.sort(words, c);
        System.out.println(Arrays.toString(words));
        c.setStrength(Collator.PRIMARY);
        System.out.println(c.compare("\u00e9t\u00e9", "ETE"));
        System.out.println(new RuleBasedCollator("< c < b < a").compare("a", "b"));
        String text = "Hello, world! It's 3.14. Next sentence? Yes.";
        breaks(BreakIterator.getWordInstance(Locale.US), text);
        breaks(BreakIterator.getSentenceInstance(Locale.US), text);
        breaks(BreakIterator.getLineInstance(Locale.US), text);
        breaks(BreakIterator.getCharacterInstance(Locale.US), "e\u0301a\ud83d\ude00");
        Bidi bidi = new Bidi("abc \u05d0\u05d1 def", Bidi.DIRECTION_LEFT_TO_RIGHT);
        System.out.println(bidi.getRunCount() + " " + bidi.isMixed());
        StringCharacterIterator it = new StringCharacterIterator("abc");
        for (char x = it.last(); x != CharacterIterator.DONE; x = it.previous()) {
            System.out.print(x);
        }
        System.out.println();
    }
}
