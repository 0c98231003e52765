/* SPDX-License-Identifier: MIT */
/* Character: categories, digits, case of all of Unicode, surrogates. */
public class Characters {
    public static void main(String[] args) {
        long hash = 0;
        int letters = 0, digits = 0, spaces = 0, starts = 0;
        for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x3000 ? 1 : 17) {
            hash = hash * 31 + Character.getType(c);
            hash = hash * 31 + Character.toUpperCase(c) + Character.toLowerCase(c)
                + Character.toTitleCase(c);
            letters += Character.isLetter(c) ? 1 : 0;
            digits += Character.digit(c, 10) >= 0 ? 1 : 0;
            spaces += Character.isWhitespace(c) ? 1 : 0;
            starts += Character.isJavaIdentifierStart(c) ? 1 : 0;
            hash += Character.getDirectionality(c) + (Character.isMirrored(c) ? 7 : 0);
        }
        System.out.println(hash + " " + letters + " " + digits + " " + spaces + " " + starts);
        System.out.println(Character.getNumericValue('\u216b') + " " + Character.digit('f', 16)
                           + " " + Character.forDigit(11, 16));
        System.out.println(Character.getName('A') + ", " + Character.getName(0x1f600));
        System.out.println(Character.UnicodeBlock.of('\u03b1') + " "
                           + Character.UnicodeScript.of('\u4e2d'));
        System.out.println(Character.isSurrogatePair('\ud83d', '\ude00') + " "
            + Character.toCodePoint('\ud83d', '\ude00') + " " + Character.charCount(0x1f600));
        System.out.println(Character.toString(0x1f600) + Character.reverseBytes('\u1234'));
        System.out.println(java.text.Normalizer.normalize("e\u0301\ufb01",
            java.text.Normalizer.Form.NFKC));
        System.out.println(Character.codePointOf("GREEK SMALL LETTER ALPHA"));
    }
}
