/* SPDX-License-Identifier: MIT */
/* Random sequences are specified: same seed, same numbers. */
import java.util.*;
import java.util.random.*;

public class Randoms {
    public static void main(String[] args) {
        Random r = new Random(12345);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(1 << 20) + " "
            + r.nextLong() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean()
            + " " + r.nextGaussian() + " " + r.nextInt(5, 10));
        byte[] b = new byte[7];
        r.nextBytes(b);
        System.out.println(Arrays.toString(b));
        System.out.println(Arrays.toString(r.ints(5, 0, 10).toArray()) + " "
            + Arrays.toString(r.doubles(2).toArray()));
        SplittableRandom s = new SplittableRandom(99);
        System.out.println(s.nextInt() + " " + s.split().nextLong() + " " + s.nextInt(7));
        for (String name : new String[] { "L64X128MixRandom", "Xoshiro256PlusPlus",
                                          "Xoroshiro128PlusPlus", "L32X64MixRandom" }) {
            RandomGenerator g = RandomGeneratorFactory.of(name).create(7);
            System.out.println(name + " " + g.nextLong() + " " + g.nextInt(1000) + " "
                + g.nextGaussian());
        }
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            RandomGenerator.of("NoSuchThing");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        double x = Math.random();
        System.out.println(x >= 0 && x < 1);
        Random t = new Random(-1);
        int[] count = new int[6];
        for (int i = 0; i < 60000; i++) {
            count[t.nextInt(6)]++;
        }
        System.out.println(Arrays.toString(count));
    }
}
