/* SPDX-License-Identifier: MIT */
/* Locks handed between many threads; notify never lost; hash and lock together. */
public class LitmusBiased {
    public static void main(String[] args) throws Exception {
        Object[] locks = new Object[64];
        int[] counts = new int[64];
        int[] hashes = new int[64];
        for (int i = 0; i < 64; i++) {
            locks[i] = new Object();
            if (i % 2 == 0) {
                hashes[i] = locks[i].hashCode();
            }
        }
        Thread[] t = new Thread[4];
        for (int k = 0; k < 4; k++) {
            int seed = k * 7919 + 1;
            t[k] = new Thread(() -> {
                int r = seed;
                for (int i = 0; i < 20_000; i++) {
                    r = r * 1103515245 + 12345;
                    int at = (r >>> 10) & 63;
                    synchronized (locks[at]) {
                        counts[at]++;
                        if ((r & 0x3f00) == 0) {
                            locks[at].hashCode();
                        }
                    }
                }
            });
            t[k].start();
        }
        for (Thread x : t) {
            x.join();
        }
        int total = 0, same = 0;
        for (int i = 0; i < 64; i++) {
            total += counts[i];
            same += i % 2 != 0 || hashes[i] == locks[i].hashCode() ? 1 : 0;
        }
        System.out.println(total + " " + same);
        Object turn = new Object();
        int[] at = new int[1];
        Thread[] ring = new Thread[3];
        for (int k = 0; k < 3; k++) {
            int me = k;
            ring[k] = new Thread(() -> {
                synchronized (turn) {
                    for (int i = 0; i < 1000; i++) {
                        while (at[0] % 3 != me) {
                            try {
                                turn.wait();
                            } catch (InterruptedException e) {
                                return;
                            }
                        }
                        at[0]++;
                        turn.notifyAll();
                    }
                }
            });
            ring[k].start();
        }
        for (Thread x : ring) {
            x.join();
        }
        System.out.println(at[0]);
    }
}
