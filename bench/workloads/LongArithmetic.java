/* SPDX-License-Identifier: MIT */

/* A 64-bit generator and modular powers: every long operation in a loop. */
public class LongArithmetic {
    static long next(long x) {
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        return x;
    }

    static long power(long base, long exponent, long modulus) {
        long result = 1;
        while (exponent != 0) {
            if ((exponent & 1) != 0) {
                result = result * base % modulus;
            }
            base = base * base % modulus;
            exponent >>= 1;
        }
        return result;
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1_800_000;
        long x = 88172645463325252L, sum = 0;
        for (int i = 0; i < rounds; i++) {
            x = next(x);
            long base = (x >>> 1) % 2147483647L;
            sum += power(base, x & 0xffff, 2147483647L) - (x / (i + 1)) + ~(sum >> 3);
            if (x > sum) {
                sum = -sum;
            }
        }
        System.out.println(sum);
    }
}
