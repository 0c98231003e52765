/* SPDX-License-Identifier: MIT */
/* The smallest program with output. */
public class Hello1 {
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
