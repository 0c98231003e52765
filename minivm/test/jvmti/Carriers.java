// SPDX-License-Identifier: MIT
// since: 25
// vm: -Djdk.virtualThreadScheduler.parallelism=1
// vm: -Djdk.virtualThreadScheduler.maxPoolSize=1 --add-opens java.base/java.lang=ALL-UNNAMED
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The extensions that tell which virtual thread a carrier runs, and of its mounts. */
public class Carriers {
    static final int INVALID_THREAD = 10, NOT_ALIVE = 15, NULL_POINTER = 100,
        MUST_POSSESS = 99;

    static native Object virtualOf(Thread t);
    static native Object carrierOf(Thread t);
    static native int withoutCapability(Thread t);
    static native int withoutResult(Thread t);
    static native void watch(Thread t);
    static native String take();
    static native int mode(boolean on, Thread t);

    static volatile boolean spins, goes;
    static volatile Object self, own;

    static void same(String name, Object actual, Object expected) {
        System.out.println(java.util.Objects.equals(actual, expected)
            ? "ok " + name : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    /** The platform thread that runs the calling virtual one. */
    static Thread currentCarrier() throws Exception {
        var method = Thread.class.getDeclaredMethod("currentCarrierThread");
        method.setAccessible(true);
        return (Thread) method.invoke(null);
    }

    static void mounted() throws Exception {
        Thread[] carrier = new Thread[1];
        CountDownLatch begun = new CountDownLatch(1);
        Thread v = Thread.ofVirtual().name("spins").start(() -> {
            try {
                carrier[0] = currentCarrier();
                self = virtualOf(null);
                own = carrierOf(null);
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
            spins = true;
            begun.countDown();
            while (spins) {
                Thread.onSpinWait();
            }
        });
        begun.await();
        same("carrier-of-mounted", carrierOf(v), carrier[0]);
        same("virtual-of-carrier", virtualOf(carrier[0]), v);
        same("virtual-of-own-carrier", self, v);
        same("carrier-of-self", own, carrier[0]);
        spins = false;
        v.join();
        same("carrier-of-ended", carrierOf(v), null);
    }

    static void unmounted() throws Exception {
        Thread v = Thread.ofVirtual().name("parks").start(() -> {
            while (!goes) {
                LockSupport.park();
            }
        });
        while (v.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        same("carrier-of-unmounted", carrierOf(v), null);
        goes = true;
        LockSupport.unpark(v);
        v.join();
    }

    static void others() throws Exception {
        Thread p = Thread.currentThread();
        Thread unstarted = new Thread(() -> { });
        same("virtual-of-platform", virtualOf(p), null);
        same("virtual-of-current-platform", virtualOf(null), null);
        same("carrier-of-platform", carrierOf(p), INVALID_THREAD);
        same("virtual-of-unstarted", virtualOf(unstarted), NOT_ALIVE);
        same("no-capability", withoutCapability(p), MUST_POSSESS);
        same("no-result", withoutResult(p), NULL_POINTER);
        same("carrier-of-unstarted",
            carrierOf(Thread.ofVirtual().unstarted(() -> { })), null);
    }

    /** What a virtual thread that yields twice is told. */
    static void events() throws Exception {
        Thread v = Thread.ofVirtual().name("events").unstarted(() -> {
            Thread.yield();
            Thread.yield();
        });
        watch(v);
        v.start();
        v.join();
        /* join returns before the last steps of the carrier, but the events come before. */
        same("events", take(), "mount unmount mount unmount mount unmount ");
        Thread silent = Thread.ofVirtual().unstarted(Thread::yield);
        watch(silent);
        same("off", mode(false, null), 0);
        silent.start();
        silent.join();
        same("events-off", take(), "");
        Thread again = Thread.ofVirtual().unstarted(() -> { });
        watch(again);
        same("on", mode(true, null), 0);
        again.start();
        again.join();
        same("events-on", take(), "mount unmount ");
    }

    public static void main(String[] args) throws Exception {
        mounted();
        unmounted();
        others();
        events();
    }
}
