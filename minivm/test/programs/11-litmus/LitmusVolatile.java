/* SPDX-License-Identifier: MIT */
/*
 * Memory model (JLS 17.4): store buffering, load buffering, message passing and
 * coherence through volatile fields.  No forbidden outcome may ever show.
 */
public class LitmusVolatile {
    static final int ROUNDS = 30_000;

    static final class State {
        volatile int x, y;
        int plain;
        int r1, r2, r3, r4;
    }

    interface Part {
        void run(State s);
    }

    /* Runs the parts in parallel on many states and counts what check reports. */
    static int forbidden(Part[] parts, java.util.function.Predicate<State> bad) throws Exception {
        State[] states = new State[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            states[i] = new State();
        }
        java.util.concurrent.CyclicBarrier start =
            new java.util.concurrent.CyclicBarrier(parts.length);
        Thread[] t = new Thread[parts.length];
        for (int k = 0; k < parts.length; k++) {
            Part p = parts[k];
            t[k] = new Thread(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                for (State s : states) {
                    p.run(s);
                }
            });
            t[k].start();
        }
        for (Thread x : t) {
            x.join();
        }
        int n = 0;
        for (State s : states) {
            n += bad.test(s) ? 1 : 0;
        }
        return n;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("store buffering " + forbidden(new Part[] {
            s -> {
                s.x = 1;
                s.r1 = s.y;
            },
            s -> {
                s.y = 1;
                s.r2 = s.x;
            } }, s -> s.r1 == 0 && s.r2 == 0));
        System.out.println("message passing " + forbidden(new Part[] {
            s -> {
                s.plain = 42;
                s.x = 1;
            },
            s -> {
                s.r1 = s.x;
                s.r2 = s.plain;
            } }, s -> s.r1 == 1 && s.r2 != 42));
        System.out.println("load buffering " + forbidden(new Part[] {
            s -> {
                s.r1 = s.x;
                s.y = 1;
            },
            s -> {
                s.r2 = s.y;
                s.x = 1;
            } }, s -> s.r1 == 1 && s.r2 == 1));
        System.out.println("independent reads " + forbidden(new Part[] {
            s -> s.x = 1,
            s -> s.y = 1,
            s -> {
                s.r1 = s.x;
                s.r2 = s.y;
            },
            s -> {
                s.r3 = s.y;
                s.r4 = s.x;
            } }, s -> s.r1 == 1 && s.r2 == 0 && s.r3 == 1 && s.r4 == 0));
        System.out.println("read coherence " + forbidden(new Part[] {
            s -> {
                s.x = 1;
                s.x = 2;
            },
            s -> {
                s.r1 = s.x;
                s.r2 = s.x;
            } }, s -> s.r1 > s.r2));
        System.out.println("write causality " + forbidden(new Part[] {
            s -> s.x = 1,
            s -> {
                if (s.x == 1) {
                    s.y = 1;
                }
            },
            s -> {
                s.r1 = s.y;
                s.r2 = s.x;
            } }, s -> s.r1 == 1 && s.r2 == 0));
        System.out.println("dekker with monitors " + forbidden(new Part[] {
            s -> {
                synchronized (s) {
                    s.plain++;
                    s.r1 = s.plain;
                }
            },
            s -> {
                synchronized (s) {
                    s.plain++;
                    s.r2 = s.plain;
                }
            } }, s -> s.r1 == s.r2 || s.plain != 2));
    }
}
