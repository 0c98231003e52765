/* SPDX-License-Identifier: MIT */
// vm: -Xss512k
/* StackOverflowError through reflection, lambdas, streams, toString, threads. */
import java.lang.reflect.Method;
import java.util.*;
import java.util.stream.*;

public class DeepRecursion {
    static Method self;

    public static void viaReflection() throws Exception {
        self.invoke(null);
    }

    static int viaStream(int n) {
        return IntStream.of(n).map(x -> viaStream(x + 1)).sum();
    }

    static class Cyclic {
        Object next = this;

        @Override
        public String toString() {
            return "c" + next;
        }
    }

    static int count(int n) {
        return n == 0 ? 0 : 1 + count(n - 1);
    }

    static boolean overflow(Runnable r) {
        try {
            r.run();
            return false;
        } catch (Throwable t) {
            while (t.getCause() != null) {
                t = t.getCause();
            }
            return t instanceof StackOverflowError;
        }
    }

    public static void main(String[] args) throws Exception {
        self = DeepRecursion.class.getMethod("viaReflection");
        System.out.println(overflow(() -> {
            try {
                viaReflection();
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
        }));
        System.out.println(overflow(() -> viaStream(0)));
        System.out.println(overflow(() -> new Cyclic().toString()));
        List<Object> list = new ArrayList<>();
        list.add(list);
        System.out.println(list);
        System.out.println(overflow(list::hashCode));
        Map<String, Object> map = new HashMap<>();
        map.put("self", map);
        System.out.println(map + " " + overflow(map::hashCode));
        System.out.println(count(2000));
        Thread big = new Thread(null, () -> System.out.println(count(60_000)), "big", 64 << 20);
        big.start();
        big.join();
        Thread small = new Thread(null, () -> System.out.println(overflow(() -> count(10_000_000))),
            "small", 1 << 18);
        small.start();
        small.join();
        Comparator<Object>[] self = new Comparator[1];
        self[0] = (a, b) -> self[0].compare(b, a);
        System.out.println(overflow(() -> self[0].compare(1, 2)));
        for (int i = 0; i < 20; i++) {
            if (!overflow(() -> count(10_000_000))) {
                System.out.println("no overflow");
            }
        }
        System.out.println(overflow(() -> {
            class Init {
            }
            new Object() {
                void loop() {
                    synchronized (this) {
                        loop();
                    }
                }
            }.loop();
        }));
        System.out.println(Thread.holdsLock(list));
    }
}
