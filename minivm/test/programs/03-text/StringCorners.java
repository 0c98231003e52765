// SPDX-License-Identifier: MIT
// The methods of strings and builders that the VM has C bodies for, at their corners:
// where the C body answers, where it leaves the call to the bytecode, and the
// exceptions, with the frames that they were thrown in.

import java.util.concurrent.ConcurrentHashMap;

public class StringCorners {
    static final int[] CHARS = { 'a', 'z', 0, 0x7f, 0x80, 0xe9, 0xff, 0x100, 0x161, 0x1f600,
                                 -1, Integer.MIN_VALUE, Integer.MAX_VALUE };
    static final int[] INDICES = { 0, 1, 2, 5, 6, 7, -1, -2, Integer.MIN_VALUE,
                                   Integer.MAX_VALUE };
    static final String[] STRINGS = { "", "a", "banana", "caf\u00e9\u00ff\u0080", "\0\u007f\0",
                                      "\u0161a\u0161za", "x\ud83d\ude00a", "zaz" };

    interface Action { Object run(); }

    static void frames(Throwable t) {
        System.out.print(t);
        for (StackTraceElement e : t.getStackTrace())
            System.out.print(" < " + e.getClassName() + "." + e.getMethodName() + ":"
                             + e.getLineNumber());
        System.out.println();
    }

    static void attempt(Action action) {
        try {
            System.out.println(action.run());
        } catch (RuntimeException e) {
            frames(e);
        }
    }

    static void search() {
        int sum = 0;
        for (String s : STRINGS)
            for (int c : CHARS) {
                sum = sum * 31 + s.indexOf(c);
                sum = sum * 31 + s.lastIndexOf(c);
                for (int i : INDICES) {
                    int first = s.indexOf(c, i), last = s.lastIndexOf(c, i);
                    sum = (sum * 31 + first) * 31 + last;
                    if (first >= 0 && s.codePointAt(first) != c
                        || last >= 0 && s.codePointAt(last) != c)
                        System.out.println("wrong: " + s + " " + c + " " + i);
                }
            }
        System.out.println(sum);
    }

    static void characters() {
        for (String s : STRINGS) {
            StringBuilder seen = new StringBuilder().append(s.length());
            for (int i = 0; i < s.length(); i++)
                seen.append(' ').append((int)s.charAt(i));
            System.out.println(seen);
        }
        attempt(() -> "abc".charAt(3));
        attempt(() -> "abc".charAt(-1));
        attempt(() -> "".charAt(0));
        attempt(() -> "\u0161b".charAt(2));
        attempt(() -> "abc".charAt(Integer.MIN_VALUE));
        String none = null;
        attempt(() -> none.length());
        attempt(() -> none.indexOf('a'));
    }

    static void builders() {
        StringBuilder b = new StringBuilder(3);
        String none = null;
        b.append("ab").append('c').append('d').append(none).append("").append('\u00ff');
        System.out.println(b + " " + b.length() + " " + b.capacity());
        b.append('\u0100').append("x").append('\u00e9').append("\u00ff").append("\u0161");
        System.out.println(b.length() + " " + b.capacity() + " " + b.hashCode() * 0 + b);
        b.setLength(2);
        b.append("tail").append('!');
        System.out.println(b);
        StringBuffer shared = new StringBuffer(0);
        for (int i = 0; i < 100; i++)
            shared.append(i % 7 == 0 ? "\u00fc" : "u").append((char)('0' + i % 10));
        System.out.println(shared + " " + shared.capacity());
        StringBuilder full = new StringBuilder("12345678");
        full.trimToSize();
        full.append("").append('9').append("abc");
        System.out.println(full + " " + full.capacity());
    }

    static void digits() {
        int[] values = { 0, 1, 7, 8, 15, 16, 35, 255, 256, -1, Integer.MIN_VALUE,
                         Integer.MAX_VALUE, 0x12345678 };
        for (int v : values)
            System.out.println(Integer.toHexString(v) + " " + Integer.toOctalString(v) + " "
                               + Integer.toBinaryString(v) + " "
                               + Integer.toUnsignedString(v, 32) + " "
                               + Integer.toUnsignedString(v, 4));
    }

    static void map() {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>(2);
        for (int i = 0; i < 2000; i++)
            map.merge("key" + i % 300, i, Integer::sum);
        for (int i = 0; i < 300; i += 3)
            map.remove("key" + i);
        int sum = 0;
        for (int i = 0; i < 300; i++)
            sum = sum * 31 + map.getOrDefault("key" + i, -1);
        System.out.println(map.size() + " " + sum);
    }

    public static void main(String[] args) {
        for (int round = 0; round < 2; round++) {
            search();
            characters();
            builders();
            digits();
            map();
        }
    }
}
