/* SPDX-License-Identifier: MIT */
/* Unboxes N: few calls of its own, and N of the class library. */
public class Unboxes {
    public static void main(String[] args) {
        Integer value = Integer.parseInt(args[0]);
        long sum = 0;

        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            sum += value.intValue();
        }
        System.out.println(sum);
    }
}
