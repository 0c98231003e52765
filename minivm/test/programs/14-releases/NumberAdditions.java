// SPDX-License-Identifier: MIT
// since: 25
import java.math.BigInteger;
import java.util.Random;
import java.util.random.*;
import java.util.stream.Collectors;

/** What numbers learnt: clamp, ceiling division, exact powers, bits, half floats, generators. */
public class NumberAdditions {
    interface Exact {
        long run();
    }

    static String exact(Exact e) {
        try {
            return "" + e.run();
        } catch (ArithmeticException x) {
            return x.getMessage();
        }
    }

    public static void main(String[] args) {
        int[] values = { 7, -7, 0, Integer.MAX_VALUE, Integer.MIN_VALUE };
        for (int v : values)
            System.out.println(v + ": " + Math.ceilDiv(v, 4) + " " + Math.ceilMod(v, 4) + " "
                + Math.ceilDiv(v, -4) + " " + exact(() -> Math.ceilDivExact(v, -1)) + " "
                + exact(() -> Math.divideExact(v, -1)) + " " + Math.clamp((long) v, -100, 100));
        System.out.println(Math.clamp(2.5, 3.0, 4.0) + " " + Math.clamp(-0.0, 0.0, 1.0) + " "
            + Math.clamp(Double.NaN, 0.0, 1.0) + " " + Math.clamp(1L << 40, 0L, 1L << 35));
        try {
            Math.clamp(1L, 5, 4);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(exact(() -> Math.powExact(3, 19)) + " " + exact(() -> Math.powExact(3, 20)) + " "
            + exact(() -> Math.powExact(3L, 39)) + " " + exact(() -> Math.unsignedPowExact(2L, 63)) + " "
            + exact(() -> Math.unsignedMultiplyExact(65536, 65535)) + " "
            + exact(() -> Math.unsignedMultiplyExact(65536, 65536)));
        System.out.println(Long.toUnsignedString(Math.unsignedMultiplyHigh(-1L, -3L)) + " "
            + Math.multiplyHigh(Long.MIN_VALUE, 6) + " " + Math.unsignedMultiplyHigh(1L << 63, 6));
        int mask = 0b1111_0000_1010_0000_0000_0000_1100_0011;
        int packed = Integer.compress(0x9abcdef5, mask);
        System.out.println(Integer.toHexString(packed) + " " + Integer.toHexString(Integer.expand(packed, mask)) + " "
            + (Integer.expand(packed, mask) == (0x9abcdef5 & mask)) + " "
            + Long.toHexString(Long.expand(0xffL, 0x0101010101010101L)) + " "
            + Long.compress(0x8040201008040201L, 0x8040201008040201L));
        for (float f : new float[] { 1.0f, 65504f, 65520f, 1e-8f, 5.96e-8f, -0.0f, Float.NaN, 3.14159f }) {
            short half = Float.floatToFloat16(f);
            System.out.print(Integer.toHexString(half & 0xffff) + "=" + Float.float16ToFloat(half) + " ");
        }
        System.out.println();
        System.out.println(new BigInteger("1000000000000000000000").parallelMultiply(BigInteger.valueOf(12345)) + " "
            + BigInteger.TWO.pow(200).sqrt().bitLength());
        System.out.println(BigInteger.valueOf(1_000_000_007L).isProbablePrime(20) + " " + Math.cbrt(27));
        for (String name : new String[] { "L64X128MixRandom", "Xoshiro256PlusPlus", "SplittableRandom" }) {
            RandomGenerator g = RandomGeneratorFactory.of(name).create(42);
            System.out.println(name + " " + g.nextInt(1000) + " " + g.nextLong(5, 50) + " "
                + g.doubles(2, 1.0, 2.0).mapToObj(d -> String.format("%.6f", d)).collect(Collectors.joining(",")));
        }
        RandomGenerator legacy = Random.from(RandomGenerator.of("L32X64MixRandom"));
        System.out.println(legacy instanceof Random r ? "a Random" : "none");
        System.out.println(new Random(5).equiDoubles(0, 1, true, false).limit(2).mapToObj(d -> String.format("%.5f", d)).toList());
        System.out.println(StrictMath.clamp(5, 1, 3) + " " + StrictMath.ceilDiv(-9, 4) + " " + Math.TAU);
    }
}
