/* SPDX-License-Identifier: MIT */

/* Throws across a few frames, with and without stack traces, and finally. */
public class Exceptions {
    static final class Quick extends RuntimeException {
        Quick() {
            super("quick", null, false, false);
        }
    }

    static final Quick QUICK = new Quick();
    static int cleanups;

    static int descend(int depth, int kind, int[] data) {
        if (depth > 0) {
            try {
                return descend(depth - 1, kind, data) + 1;
            } finally {
                cleanups++;
            }
        }
        switch (kind) {
        case 0:
            throw QUICK;
        case 1:
            throw new IllegalStateException("deep");
        case 2:
            return data[data.length];
        case 3:
            return 1 / (data[0] & 0);
        default:
            return ((int[]) null)[0];
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 230_000;
        int[] data = new int[8];
        int[] seen = new int[5];
        for (int i = 0; i < rounds; i++) {
            int kind = i % 5;
            try {
                descend(6, kind, data);
            } catch (Quick | IllegalStateException e) {
                seen[kind]++;
            } catch (ArrayIndexOutOfBoundsException e) {
                seen[kind] += 2;
            } catch (RuntimeException e) {
                seen[kind] += 3;
            }
        }
        System.out.println(java.util.Arrays.toString(seen) + " " + cleanups);
    }
}
