/* SPDX-License-Identifier: MIT */
/* long and double: volatile ones never tear (JLS 17.7); array neighbours keep. */
public class LitmusAtomicity {
    static volatile long wide;
    static volatile double real;
    static final long A = 0x1111111122222222L, B = 0xeeeeeeee99999999L;
    static volatile boolean stop;

    volatile long inObject;
    byte b0, b1, b2, b3;
    boolean z0, z1;

    public static void main(String[] args) throws Exception {
        wide = inObjectHolder.inObject = A;
        real = Double.longBitsToDouble(A);
        Thread w = new Thread(() -> {
            for (int i = 0; i < 200_000; i++) {
                wide = (i & 1) == 0 ? A : B;
                real = Double.longBitsToDouble((i & 1) == 0 ? A : B);
                inObjectHolder.inObject = (i & 1) == 0 ? B : A;
            }
            stop = true;
        });
        w.start();
        int torn = 0;
        while (!stop) {
            long x = wide;
            if (x != A && x != B) {
                torn++;
            }
            x = Double.doubleToRawLongBits(real);
            if (x != A && x != B) {
                torn++;
            }
            x = inObjectHolder.inObject;
            if (x != A && x != B) {
                torn++;
            }
        }
        w.join();
        System.out.println("torn " + torn);
        byte[] bytes = new byte[8];
        boolean[] flags = new boolean[8];
        short[] shorts = new short[4];
        LitmusAtomicity o = inObjectHolder;
        Thread[] t = new Thread[4];
        int[] lost = new int[4];
        for (int k = 0; k < 4; k++) {
            int id = k;
            t[k] = new Thread(() -> {
                for (int i = 0; i < 50_000; i++) {
                    bytes[id] = (byte) i;
                    shorts[id] = (short) i;
                    flags[id] = (i & 1) == 0;
                    switch (id) {
                    case 0:
                        o.b0 = (byte) i;
                        lost[id] += o.b0 != (byte) i ? 1 : 0;
                        break;
                    case 1:
                        o.b1 = (byte) i;
                        lost[id] += o.b1 != (byte) i ? 1 : 0;
                        break;
                    case 2:
                        o.b2 = (byte) i;
                        lost[id] += o.b2 != (byte) i ? 1 : 0;
                        break;
                    default:
                        o.z0 = (i & 1) == 0;
                        lost[id] += o.z0 != ((i & 1) == 0) ? 1 : 0;
                        break;
                    }
                    if (bytes[id] != (byte) i || shorts[id] != (short) i
                        || flags[id] != ((i & 1) == 0)) {
                        lost[id]++;
                    }
                }
            });
            t[k].start();
        }
        for (Thread x : t) {
            x.join();
        }
        System.out.println("lost " + (lost[0] + lost[1] + lost[2] + lost[3]));
    }

    static final LitmusAtomicity inObjectHolder = new LitmusAtomicity();
}
