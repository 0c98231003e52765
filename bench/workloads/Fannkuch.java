/* SPDX-License-Identifier: MIT */

/* Pancake flips over all permutations: int arrays, swaps, branches. */
public class Fannkuch {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        int[] perm = new int[n], start = new int[n], count = new int[n];
        int maxFlips = 0, checksum = 0, permutations = 0, r = n;
        for (int i = 0; i < n; i++) {
            start[i] = i;
        }
        for (;;) {
            while (r != 1) {
                count[r - 1] = r;
                r--;
            }
            for (int i = 0; i < n; i++) {
                perm[i] = start[i];
            }
            int flips = 0;
            for (int k = perm[0]; k != 0; k = perm[0]) {
                for (int lo = 0, hi = k; lo < hi; lo++, hi--) {
                    int swap = perm[lo];
                    perm[lo] = perm[hi];
                    perm[hi] = swap;
                }
                flips++;
            }
            maxFlips = Math.max(maxFlips, flips);
            checksum += (permutations & 1) == 0 ? flips : -flips;
            for (;;) {
                if (r == n) {
                    System.out.println(checksum + "\nmax flips " + maxFlips);
                    return;
                }
                int first = start[0];
                for (int i = 0; i < r; i++) {
                    start[i] = start[i + 1];
                }
                start[r] = first;
                if (--count[r] > 0) {
                    break;
                }
                r++;
            }
            permutations++;
        }
    }
}
