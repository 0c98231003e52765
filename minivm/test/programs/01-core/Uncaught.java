/* SPDX-License-Identifier: MIT */
// exit: 1
// stderr: yes
/* An uncaught exception: trace with line numbers on stderr, exit code 1. */
public class Uncaught {
    static void level1(int n) {
        level2(n - 1);
    }

    static void level2(int n) {
        int[] array = new int[2];
        try {
            array[n] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalStateException("level 2 failed", e);
        }
    }

    public static void main(String[] args) {
        System.out.println("before");
        level1(6);
        System.out.println("not reached");
    }
}
