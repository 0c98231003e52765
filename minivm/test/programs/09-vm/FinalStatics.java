/* SPDX-License-Identifier: MIT */
/* Class initialisation by many threads at once; recursion; deadlock-free. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class FinalStatics {
    static final AtomicInteger INITS = new AtomicInteger();

    static class Slow {
        static final int VALUE;

        static {
            INITS.incrementAndGet();
            try {
                Thread.sleep(30);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            VALUE = 99;
        }
    }

    static class Failing {
        static int v = fail();

        static int fail() {
            INITS.incrementAndGet();
            throw new IllegalStateException("init");
        }
    }

    static class Recursive {
        static final int A = B.get();
        static int seen = 7;

        static int peek() {
            return seen;
        }
    }

    static class B {
        static int get() {
            return Recursive.peek() + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier start = new CyclicBarrier(6);
        Set<Integer> values = ConcurrentHashMap.newKeySet();
        List<String> errors = Collections.synchronizedList(new ArrayList<>());
        Thread[] t = new Thread[6];
        for (int i = 0; i < 6; i++) {
            t[i] = new Thread(() -> {
                try {
                    start.await();
                    values.add(Slow.VALUE);
                    start.await();
                    System.identityHashCode(Failing.v);
                } catch (Throwable e) {
                    errors.add(e.getClass().getSimpleName());
                }
            });
            t[i].start();
        }
        for (Thread x : t) {
            x.join();
        }
        Collections.sort(errors);
        System.out.println(values + " " + INITS + " " + errors);
        System.out.println(Recursive.A + " " + Recursive.peek());
        try {
            System.out.println(Failing.v);
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage() + " / " + e.getCause().getMessage()
                .replaceAll("Thread-\\d", "thread"));
        }
    }
}
