/* SPDX-License-Identifier: MIT */

/* Sieve of Eratosthenes, repeated: byte-array stores and int loops. */
public class Sieve {
    static int sieve(boolean[] composite) {
        int n = composite.length;
        int count = 0;
        for (int i = 0; i < n; i++) {
            composite[i] = false;
        }
        for (int i = 2; i < n; i++) {
            if (!composite[i]) {
                count++;
                for (int j = i + i; j < n; j += i) {
                    composite[j] = true;
                }
            }
        }
        return count;
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        boolean[] composite = new boolean[500_000];
        int primes = 0;
        for (int r = 0; r < rounds; r++) {
            primes = sieve(composite);
        }
        System.out.println("primes below " + composite.length + ": " + primes);
    }
}
