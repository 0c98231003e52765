/* SPDX-License-Identifier: MIT */

import java.util.function.Function;

/* Start-up with a lambda and string concatenation through invokedynamic. */
public class HelloLambda {
    public static void main(String[] args) {
        Function<String, Integer> length = s -> s.length() + args.length;
        String name = "world";
        System.out.println("Hello, " + name + ", of length " + length.apply(name));
    }
}
