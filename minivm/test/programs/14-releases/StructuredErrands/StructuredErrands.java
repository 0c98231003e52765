// SPDX-License-Identifier: MIT
// since: 25
// until: 25
// vm: --enable-preview
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.StructuredTaskScope.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/**
 * Nested scopes that are cancelled while their tasks sleep, wait for monitors, locks and
 * queues, with scoped values that are bound anew on the way.
 */
public class StructuredErrands {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();
    static final Object MONITOR = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Set<String> ended = new ConcurrentSkipListSet<>();
    static final CountDownLatch blocked = new CountDownLatch(5);

    interface Wait {
        void go() throws Exception;
    }

    /** Waits in some way until it is interrupted, and says so. */
    static Void errand(String name, Wait wait) throws Exception {
        blocked.countDown();
        try {
            wait.go();
            ended.add(name + " went on");
        } catch (InterruptedException e) {
            ended.add(name + " interrupted for " + USER.get());
        } catch (java.nio.channels.ClosedByInterruptException e) {
            ended.add(name + " closed for " + USER.get());
        } finally {
            if (Thread.interrupted())
                ended.add(name + " has the flag");
        }
        return null;
    }

    static void cancellation() throws Exception {
        var pipe = java.nio.channels.Pipe.open();
        LOCK.lock();
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> errand("sleep", () -> Thread.sleep(60_000)));
            scope.fork(() -> errand("lock", LOCK::lockInterruptibly));
            scope.fork(() -> errand("queue", () -> new SynchronousQueue<Integer>().take()));
            scope.fork(() -> errand("wait", () -> {
                synchronized (MONITOR) {
                    MONITOR.wait();
                }
            }));
            scope.fork(() -> errand("pipe", () ->
                pipe.source().read(java.nio.ByteBuffer.allocate(1))));
            scope.fork(() -> {
                blocked.await();
                throw new IllegalArgumentException("give up, " + USER.get());
            });
            scope.join();
        } catch (FailedException e) {
            System.out.println(e.getCause().getMessage());
        } finally {
            LOCK.unlock();
        }
        System.out.println(ended);
    }

    /** A tree of scopes; one leaf fails and takes its branch with it, not the whole. */
    static String branch(int depth, int path) throws InterruptedException {
        if (depth == 0) {
            if (path == 5)
                throw new IllegalStateException("leaf " + path + " at " + DEPTH.get());
            return USER.get().charAt(0) + "" + path;
        }
        return ScopedValue.where(DEPTH, DEPTH.orElse(0) + 1).call(() -> {
            try (var scope = StructuredTaskScope.open(Joiner.<String>allSuccessfulOrThrow())) {
                scope.fork(() -> branch(depth - 1, path * 2));
                scope.fork(() -> branch(depth - 1, path * 2 + 1));
                return scope.join().map(Subtask::get).collect(Collectors.joining(",", "(", ")"));
            } catch (FailedException e) {
                return "[" + e.getCause().getMessage() + "]";
            }
        });
    }

    /** Cancels when enough is known, and keeps what came in order of the forks. */
    static class Enough implements Joiner<Integer, Integer> {
        private final AtomicInteger sum = new AtomicInteger(), failed = new AtomicInteger();
        private final int limit;

        Enough(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean onFork(Subtask<? extends Integer> task) {
            return sum.get() >= limit;
        }

        @Override
        public boolean onComplete(Subtask<? extends Integer> task) {
            if (task.state() == Subtask.State.FAILED)
                failed.incrementAndGet();
            else
                sum.addAndGet(task.get());
            return sum.get() >= limit;
        }

        @Override
        public Integer result() {
            return sum.get() * 10 + failed.get();
        }
    }

    public static void main(String[] args) throws Exception {
        ScopedValue.where(USER, "ada").call(() -> {
            cancellation();
            return null;
        });
        System.out.println(ScopedValue.where(USER, "bob").call(() -> branch(3, 0)));
        try (var scope = StructuredTaskScope.open(new Enough(6))) {
            for (int i = 1; i <= 3; i++) {
                int n = i;
                scope.fork(() -> n);
            }
            scope.fork(() -> {
                Thread.sleep(60_000);
                return 100;
            });
            System.out.println(scope.join() + " " + scope.isCancelled());
        }
        try (var scope = StructuredTaskScope.open(Joiner.awaitAllSuccessfulOrThrow())) {
            AtomicInteger count = new AtomicInteger();
            for (int i = 0; i < 500; i++)
                scope.fork(() -> count.incrementAndGet());
            System.out.println(scope.join() + " " + count);
        }
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>allUntil(
                task -> task.state() == Subtask.State.FAILED))) {
            scope.fork(() -> {
                Thread.sleep(60_000);
                return 1;
            });
            scope.fork(() -> {
                throw new java.io.IOException("stops");
            });
            System.out.println(scope.join().skip(1).map(task -> task.exception().getMessage()).toList());
        }
        Thread.currentThread().interrupt();
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> {
                Thread.sleep(60_000);
                return 1;
            });
            try {
                scope.join();
            } catch (InterruptedException e) {
                System.out.println("join interrupted " + Thread.currentThread().isInterrupted());
            }
        }
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> 1);
        } catch (IllegalStateException e) {
            System.out.println("closed without join");
        }
        StringBuilder deep = new StringBuilder();
        Runnable bind = () -> deep.append(DEPTH.get());
        for (int i = 0; i < 9; i++) {
            int n = i;
            Runnable inner = bind;
            bind = () -> ScopedValue.where(DEPTH, DEPTH.orElse(0) + n).run(inner);
        }
        bind.run();
        System.out.println(deep + " " + DEPTH.isBound() + " " + USER.orElse("nobody"));
    }
}
