/* SPDX-License-Identifier: MIT */
/* AES-128 written out, and SHA-256, against the library's. */
import java.security.MessageDigest;
import java.util.*;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

public class Cipher1 {
    static final int[] SBOX = new int[256];

    static {
        int p = 1, q = 1;
        do {
            p = p ^ (p << 1) ^ ((p & 0x80) != 0 ? 0x11b : 0);
            p &= 0xff;
            q ^= q << 1;
            q ^= q << 2;
            q ^= q << 4;
            q &= 0xff;
            if ((q & 0x80) != 0) {
                q ^= 0x09;
            }
            int x = q ^ rot(q, 1) ^ rot(q, 2) ^ rot(q, 3) ^ rot(q, 4);
            SBOX[p] = (x ^ 0x63) & 0xff;
        } while (p != 1);
        SBOX[0] = 0x63;
    }

    static int rot(int x, int n) {
        return ((x << n) | (x >> (8 - n))) & 0xff;
    }

    static int twice(int x) {
        return ((x << 1) ^ ((x & 0x80) != 0 ? 0x11b : 0)) & 0xff;
    }

    static byte[] aes(byte[] key, byte[] block) {
        int[] w = new int[176];
        for (int i = 0; i < 16; i++) {
            w[i] = key[i] & 0xff;
        }
        for (int i = 16, rcon = 1; i < 176; i += 4) {
            int[] t = { w[i - 4], w[i - 3], w[i - 2], w[i - 1] };
            if (i % 16 == 0) {
                t = new int[] { SBOX[t[1]] ^ rcon, SBOX[t[2]], SBOX[t[3]], SBOX[t[0]] };
                rcon = twice(rcon);
            }
            for (int k = 0; k < 4; k++) {
                w[i + k] = w[i - 16 + k] ^ t[k];
            }
        }
        int[] s = new int[16];
        for (int i = 0; i < 16; i++) {
            s[i] = (block[i] & 0xff) ^ w[i];
        }
        for (int round = 1; round <= 10; round++) {
            int[] n = new int[16];
            for (int i = 0; i < 16; i++) {
                n[i] = SBOX[s[(i + 4 * (i % 4)) % 16]];
            }
            if (round < 10) {
                for (int c = 0; c < 16; c += 4) {
                    int a = n[c], b = n[c + 1], d = n[c + 2], e = n[c + 3], all = a ^ b ^ d ^ e;
                    n[c] ^= all ^ twice(a ^ b);
                    n[c + 1] ^= all ^ twice(b ^ d);
                    n[c + 2] ^= all ^ twice(d ^ e);
                    n[c + 3] ^= all ^ twice(e ^ a);
                }
            }
            for (int i = 0; i < 16; i++) {
                s[i] = n[i] ^ w[round * 16 + i];
            }
        }
        byte[] out = new byte[16];
        for (int i = 0; i < 16; i++) {
            out[i] = (byte) s[i];
        }
        return out;
    }

    static int[] primesRoots(int n, double power) {
        int[] out = new int[n];
        for (int p = 2, i = 0; i < n; p++) {
            boolean prime = true;
            for (int d = 2; d * d <= p; d++) {
                prime &= p % d != 0;
            }
            if (prime) {
                double root = StrictMath.pow(p, power);
                out[i++] = (int) (long) ((root - Math.floor(root)) * 4294967296.0);
            }
        }
        return out;
    }

    static byte[] sha256(byte[] m) {
        int[] h = primesRoots(8, 0.5), k = primesRoots(64, 1.0 / 3);
        byte[] p = Arrays.copyOf(m, (m.length + 9 + 63) / 64 * 64);
        p[m.length] = (byte) 0x80;
        for (int i = 0; i < 8; i++) {
            p[p.length - 1 - i] = (byte) ((long) m.length * 8 >>> 8 * i);
        }
        int[] w = new int[64];
        for (int at = 0; at < p.length; at += 64) {
            for (int i = 0; i < 16; i++) {
                w[i] = p[at + 4 * i] << 24 | (p[at + 4 * i + 1] & 0xff) << 16
                    | (p[at + 4 * i + 2] & 0xff) << 8 | p[at + 4 * i + 3] & 0xff;
            }
            for (int i = 16; i < 64; i++) {
                int a = w[i - 15], b = w[i - 2];
                w[i] = w[i - 16] + w[i - 7] + (Integer.rotateRight(a, 7) ^ Integer.rotateRight(a, 18)
                    ^ a >>> 3) + (Integer.rotateRight(b, 17) ^ Integer.rotateRight(b, 19) ^ b >>> 10);
            }
            int[] s = h.clone();
            for (int i = 0; i < 64; i++) {
                int e = s[4], a = s[0];
                int t1 = s[7] + (Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11)
                    ^ Integer.rotateRight(e, 25)) + (e & s[5] ^ ~e & s[6]) + k[i] + w[i];
                int t2 = (Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13)
                    ^ Integer.rotateRight(a, 22)) + (a & s[1] ^ a & s[2] ^ s[1] & s[2]);
                System.arraycopy(s, 0, s, 1, 7);
                s[4] += t1;
                s[0] = t1 + t2;
            }
            for (int i = 0; i < 8; i++) {
                h[i] += s[i];
            }
        }
        byte[] out = new byte[32];
        for (int i = 0; i < 32; i++) {
            out[i] = (byte) (h[i / 4] >> 24 - 8 * (i % 4));
        }
        return out;
    }

    public static void main(String[] args) throws Exception {
        byte[] key = "0123456789abcdef".getBytes(), block = "sixteen byte msg".getBytes();
        Cipher c = Cipher.getInstance("AES/ECB/NoPadding");
        c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        System.out.println(HexFormat.of().formatHex(aes(key, block)) + " "
            + Arrays.equals(aes(key, block), c.doFinal(block)));
        for (int n : new int[] { 0, 1, 55, 56, 64, 1000 }) {
            byte[] m = new byte[n];
            Arrays.fill(m, (byte) n);
            System.out.println(HexFormat.of().formatHex(sha256(m)).substring(0, 16) + " "
                + Arrays.equals(sha256(m), MessageDigest.getInstance("SHA-256").digest(m)));
        }
    }
}
