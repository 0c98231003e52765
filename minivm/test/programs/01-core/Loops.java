/* SPDX-License-Identifier: MIT */
/* Control flow: labelled breaks, nested loops, conditional chains. */
public class Loops {
    static boolean side(String s, boolean value) {
        System.out.println(s);
        return value;
    }

    public static void main(String[] args) {
        int found = -1;
        outer:
        for (int i = 2; i < 50; i++) {
            for (int j = 2; j < i; j++) {
                if (i % j == 0) {
                    continue outer;
                }
                if (i * j == 221) {
                    found = i * 1000 + j;
                    break outer;
                }
            }
        }
        System.out.println(found);
        int n = 27, steps = 0;
        while (n != 1) {
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        System.out.println(steps);
        do {
            steps -= 7;
        } while (steps > 0);
        System.out.println(steps);
        boolean a = side("1", false) && side("2", true) || side("3", true)
            && !side("4", false);
        System.out.println(a);
        boolean b = side("5", true) | side("6", false) & side("7", true);
        System.out.println(b ^ a);
        long total = 0;
        for (long l = Integer.MAX_VALUE - 2L; l < Integer.MAX_VALUE + 3L; l++) {
            total += l;
        }
        System.out.println(total);
        for (double d = 0; d < 1; d += 0.25) {
            System.out.println(d);
        }
        for (char c = 'a'; c <= 'e'; c += 2) {
            System.out.print(c);
        }
        System.out.println();
        int i = 0, j = 10;
        for (;; i++, --j) {
            if (i >= j) {
                break;
            }
        }
        System.out.println(i);
        Object o = i == 5 ? "five" : (Object) Integer.valueOf(1);
        System.out.println(o);
    }
}
