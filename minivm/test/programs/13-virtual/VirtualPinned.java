// SPDX-License-Identifier: MIT
// since: 25
// vm: --enable-native-access=ALL-UNNAMED -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Where a virtual thread cannot leave its only carrier, and where it can. */
public class VirtualPinned {
    static native void call(Runnable r);

    static synchronized native void callSynchronized(Runnable r);

    static native void enter(Object lock);

    static native void exit(Object lock);

    static final Object lock = new Object();
    static volatile Thread parked;
    static volatile boolean go;

    static void park() {
        parked = Thread.currentThread();
        while (!go)
            LockSupport.park();
    }

    static class Initialized {
        static {
            park();
        }

        static void touch() {
        }
    }

    static class InitializedWithLock {
        static {
            synchronized (lock) {
                parked = Thread.currentThread();
            }
        }

        static void touch() {
        }
    }

    /** Starts a virtual thread that waits somewhere, and says whether another one can run
        on the carrier meanwhile. */
    static void check(String name, Runnable waits, Runnable resume) throws InterruptedException {
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(1);
        go = false;
        Thread first = Thread.ofVirtual().start(() -> {
            started.countDown();
            waits.run();
        });
        started.await();
        // Once it waits the carrier is free, or not.
        Thread.sleep(50);
        Thread second = Thread.ofVirtual().start(() -> ran.set(true));
        second.join(100);
        System.out.println(name + ": another " + (ran.get() ? "runs" : "does not run"));
        resume.run();
        first.join();
        second.join();
    }

    static void unpark() {
        while (parked == null)
            Thread.onSpinWait();
        go = true;
        LockSupport.unpark(parked);
        parked = null;
    }

    /** The same while this thread owns the lock that the first one wants. */
    static void checkContended(String name, Runnable waits) throws InterruptedException {
        boolean[] is = { true };
        synchronized (lock) {
            check(name, waits, () -> {
                synchronized (lock) {
                    is[0] = false;
                }
                new Thread(() -> { }).start();
                unlockLater();
            });
        }
    }

    static void unlockLater() {
        try {
            lock.wait(20);
            while (waitsInside)
                lock.wait(5);
        } catch (InterruptedException e) {
            System.out.println(e);
        }
    }

    static volatile boolean waitsInside;

    static void enterLock() {
        waitsInside = true;
        synchronized (lock) {
            waitsInside = false;
        }
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("VirtualPinned");
        check("park", VirtualPinned::park, VirtualPinned::unpark);
        check("park in a native method", () -> call(VirtualPinned::park), VirtualPinned::unpark);
        check("park in a synchronized native method",
              () -> callSynchronized(VirtualPinned::park), VirtualPinned::unpark);
        check("park in an initializer", Initialized::touch, VirtualPinned::unpark);
        check("park with a monitor of JNI", () -> {
            enter(lock);
            park();
            System.out.println("holds " + Thread.holdsLock(lock));
            exit(lock);
        }, VirtualPinned::unpark);
        checkContended("enter", VirtualPinned::enterLock);
        checkContended("enter in a native method", () -> call(VirtualPinned::enterLock));
        checkContended("MonitorEnter", () -> {
            waitsInside = true;
            enter(lock);
            waitsInside = false;
            exit(lock);
        });
        checkContended("enter in an initializer", InitializedWithLock::touch);
        System.out.println(Thread.holdsLock(lock));
    }
}
