/* SPDX-License-Identifier: MIT */
// exit: 1
// stderr: yes
/* The main class cannot be initialised. */
public class InitFails {
    static final int X = Integer.parseInt("no number");

    public static void main(String[] args) {
        System.out.println("never");
    }
}
