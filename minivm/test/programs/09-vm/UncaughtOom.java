/* SPDX-License-Identifier: MIT */
// vm: -Xmx24m
// exit: 1
/* An OutOfMemoryError that nobody catches ends the program with code 1. */
public class UncaughtOom {
    public static void main(String[] args) {
        System.out.println("filling");
        Object[] chain = null;
        while (true) {
            Object[] next = new Object[1000];
            next[0] = chain;
            chain = next;
        }
    }
}
