/* SPDX-License-Identifier: MIT */
/* Interrupt of sleep, join, wait, park, blocking queues and channels. */
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Interrupts {
    interface Blocking {
        void run() throws Exception;
    }

    static void test(String name, Blocking b, boolean early) throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        String[] result = new String[1];
        Thread t = new Thread(() -> {
            try {
                if (early) {
                    Thread.currentThread().interrupt();
                }
                ready.countDown();
                b.run();
                result[0] = "returned";
            } catch (Exception e) {
                result[0] = e.getClass().getSimpleName();
            }
            result[0] += " " + Thread.interrupted();
        });
        t.start();
        ready.await();
        if (!early) {
            while (t.getState() == Thread.State.RUNNABLE && !name.equals("accept")) {
                Thread.onSpinWait();
            }
            t.interrupt();
        }
        t.join();
        System.out.println(name + " " + early + ": " + result[0]);
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock held = new ReentrantLock();
        held.lock();
        for (boolean early : new boolean[] { false, true }) {
            test("sleep", () -> Thread.sleep(1_000_000), early);
            Thread forever = new Thread(LockSupport::park);
            forever.setDaemon(true);
            forever.start();
            test("join", forever::join, early);
            test("park", LockSupport::park, early);
            test("take", () -> new LinkedBlockingQueue<String>().take(), early);
            test("latch", () -> new CountDownLatch(1).await(), early);
            test("lockInterruptibly", held::lockInterruptibly, early);
            test("future", () -> new CompletableFuture<String>().get(), early);
            test("wait", () -> {
                synchronized (held) {
                    held.wait();
                }
            }, early);
            test("semaphore", () -> new Semaphore(0).acquire(), early);
            test("exchanger", () -> new Exchanger<String>().exchange("x"), early);
            test("accept", () -> {
                try (ServerSocketChannel s = ServerSocketChannel.open()) {
                    s.bind(new java.net.InetSocketAddress("127.0.0.1", 0));
                    s.accept();
                }
            }, early);
            Pipe p = Pipe.open();
            test("accept", () -> p.source().read(ByteBuffer.allocate(1)), early);
        }
    }
}
