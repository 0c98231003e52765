// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;

/** A thread that was there before the table changed, one that came after, and main. */
public class Intercept {
    static native void install();
    static native void restore();
    static native void makeReferences(int count);
    /** Stays in C code from before until go is set, then makes one reference. */
    static native void waitInside();
    static native void go();
    static native void expect(String name, int count);

    public static void main(String[] args) throws Exception {
        CountDownLatch started = new CountDownLatch(1), installed = new CountDownLatch(1);
        Thread before = new Thread(() -> {
            started.countDown();
            try {
                installed.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            makeReferences(2);
        });
        Thread inside = new Thread(Intercept::waitInside);
        before.start();
        inside.start();
        started.await();
        makeReferences(5);
        expect("none-before", 0);
        install();
        expect("none-made", 0);
        makeReferences(3);
        expect("own-thread", 3);
        installed.countDown();
        before.join();
        expect("older-thread", 5);
        go();
        inside.join();
        expect("inside-c", 6);
        Thread after = new Thread(() -> makeReferences(4));
        after.start();
        after.join();
        expect("newer-thread", 10);
        restore();
        makeReferences(7);
        expect("restored", 10);
        Thread last = new Thread(() -> makeReferences(4));
        last.start();
        last.join();
        expect("restored-newer-thread", 10);
    }
}
