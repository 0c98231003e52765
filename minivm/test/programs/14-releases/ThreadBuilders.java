// SPDX-License-Identifier: MIT
// since: 21
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

/** Thread.Builder: names, counters, factories, inheritance, handlers; both kinds of threads. */
public class ThreadBuilders {
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();
    static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> 7);

    static String describe(Thread t) {
        return "'" + t.getName() + "' " + t.isVirtual() + " " + t.isDaemon() + " " + t.getPriority()
            + " " + t.getThreadGroup().getName() + " " + t.getState();
    }

    static void inherit(Thread.Builder b) throws InterruptedException {
        StringBuilder seen = new StringBuilder();
        INHERITED.set("from main");
        b.inheritInheritableThreadLocals(true).start(() -> seen.append(INHERITED.get())).join();
        b.inheritInheritableThreadLocals(false).start(() -> {
            seen.append(" ").append(INHERITED.get()).append(" ").append(LOCAL.get());
            LOCAL.set(8);
            seen.append(" ").append(LOCAL.get());
        }).join();
        System.out.println(seen + " " + LOCAL.get());
    }

    static void fail(Thread.Builder b) throws InterruptedException {
        SynchronousQueue<String> told = new SynchronousQueue<>();
        b.uncaughtExceptionHandler((t, e) -> {
            try {
                told.put(t.getName() + " " + e.getMessage());
            } catch (InterruptedException i) {
                throw new AssertionError(i);
            }
        }).start(() -> {
            throw new IllegalStateException("from inside");
        });
        System.out.println(told.take());
    }

    public static void main(String[] args) throws Exception {
        Thread p = Thread.ofPlatform().name("plat").daemon().priority(7).unstarted(() -> { });
        Thread v = Thread.ofVirtual().name("virt").unstarted(() -> { });
        System.out.println(describe(p) + "\n" + describe(v));
        for (Thread t : new Thread[] { p, v }) {
            try {
                t.join(Duration.ofMillis(1));
            } catch (IllegalThreadStateException e) {
                System.out.println("not started yet");
            }
            t.start();
            System.out.println(t.join(Duration.ofSeconds(60)) + " " + t.getState());
            try {
                t.start();
            } catch (IllegalThreadStateException e) {
                System.out.println("a thread starts once");
            }
        }
        try {
            v.setDaemon(false);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        v.setPriority(9);
        System.out.println(v.getPriority());
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        for (Thread.Builder b : List.of(Thread.ofPlatform().name("worker-", 10), Thread.ofVirtual().name("light-", 3))) {
            ThreadFactory f = b.factory();
            for (int i = 0; i < 3; i++) {
                Thread t = f.newThread(() -> names.add(Thread.currentThread().getName()));
                t.start();
                t.join();
            }
            b.start(() -> names.add(Thread.currentThread().getName())).join();
        }
        System.out.println(names);
        inherit(Thread.ofPlatform());
        inherit(Thread.ofVirtual());
        fail(Thread.ofPlatform().name("p"));
        fail(Thread.ofVirtual().name("v"));
        ThreadGroup group = new ThreadGroup("mine");
        System.out.println(Thread.ofPlatform().group(group).stackSize(1 << 20).unstarted(() -> { }).getThreadGroup().getName());
        Thread sleeper = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(Duration.ofHours(1));
                names.add("woke");
            } catch (InterruptedException e) {
                names.add("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        sleeper.interrupt();
        sleeper.join();
        System.out.println(names.getLast() + " " + sleeper.threadId() / sleeper.threadId());
    }
}
