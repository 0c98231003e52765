/* SPDX-License-Identifier: MIT */
/* Final fields (JLS 17.5): a racily published object shows its final values. */
public class LitmusFinal {
    static final class Box {
        final int a, b;
        final int[] array;
        final String text;

        Box(int i) {
            a = i;
            array = new int[] { i, i + 1 };
            text = "t" + i;
            b = ~i;
        }
    }

    static Box shared;
    static String string = "initial0";
    static volatile boolean stop;

    public static void main(String[] args) throws Exception {
        shared = new Box(0);
        Thread[] writers = new Thread[2];
        for (int k = 0; k < 2; k++) {
            int id = k;
            writers[k] = new Thread(() -> {
                for (int i = 0; i < 60_000; i++) {
                    shared = new Box(i * 2 + id);
                    string = new String(new char[] { 'x', (char) ('0' + i % 10) });
                }
                stop = true;
            });
        }
        int[] bad = new int[2];
        Thread[] readers = new Thread[2];
        for (int k = 0; k < 2; k++) {
            int id = k;
            readers[k] = new Thread(() -> {
                while (!stop) {
                    Box x = shared;
                    if (x.b != ~x.a || x.array.length != 2 || x.array[0] != x.a
                        || x.array[1] != x.a + 1 || x.text.length() < 2) {
                        bad[id]++;
                    }
                    String s = string;
                    if (s.length() < 2 || s.hashCode() == 0) {
                        bad[id]++;
                    }
                }
            });
        }
        for (int k = 0; k < 2; k++) {
            readers[k].start();
            writers[k].start();
        }
        for (int k = 0; k < 2; k++) {
            writers[k].join();
            readers[k].join();
        }
        System.out.println("bad " + (bad[0] + bad[1]));
    }
}
