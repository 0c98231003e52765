/* SPDX-License-Identifier: MIT */
/* A staged pipeline of threads with queues, poison pills and back pressure. */
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class Pipeline {
    static final Object END = new Object();

    static <A, B> Thread stage(String name, BlockingQueue<Object> in, BlockingQueue<Object> out,
                               Function<A, Collection<B>> f) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    Object x = in.take();
                    if (x == END) {
                        out.put(END);
                        return;
                    }
                    @SuppressWarnings("unchecked")
                    A a = (A) x;
                    for (B b : f.apply(a)) {
                        out.put(b);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Object> lines = new ArrayBlockingQueue<>(2), words = new LinkedBlockingQueue<>(3),
            lengths = new SynchronousQueue<>(), out = new LinkedTransferQueue<>();
        List<Thread> threads = List.of(
            Pipeline.<String, String>stage("split", lines, words, s -> List.of(s.split(" "))),
            Pipeline.<String, Integer>stage("measure", words, lengths, s -> s.isEmpty()
                ? List.of() : List.of(s.length())),
            Pipeline.<Integer, String>stage("draw", lengths, out, n -> List.of("#".repeat(n))));
        Thread feeder = new Thread(() -> {
            try {
                for (int i = 0; i < 300; i++) {
                    lines.put("line " + i + " has " + "x".repeat(i % 5) + " some words");
                }
                lines.put(END);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        feeder.start();
        int count = 0, total = 0;
        StringBuilder first = new StringBuilder();
        for (Object o; (o = out.take()) != END;) {
            count++;
            total += ((String) o).length();
            if (count <= 6) {
                first.append(o).append(' ');
            }
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(count + " " + total + " " + first);
    }
}
