// SPDX-License-Identifier: MIT
// since: 25
// alone: the JDK's VM returns before the end of a section, at a time that nothing tells
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
// vm: --add-opens java.base/java.lang=ALL-UNNAMED --add-exports java.base/sun.nio.ch=ALL-UNNAMED
// vm: -Djdk.virtualThreadScheduler.parallelism=4
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.util.concurrent.locks.LockSupport;
import sun.nio.ch.Interruptible;

/** Threads that are suspended in a section of the class library that must come to its end:
    Thread.interrupt of a virtual thread, which owns that thread's lock then. */
public class Sections {
    static final int SUSPENDED = 0x100000, BLOCKED = 0x400;

    static native int suspend(Thread t);
    static native int suspendList(Thread t);
    static native int suspendAll();
    static native int resume(Thread t);
    static native int resumeAll();
    static native int state(Thread t);
    static native String frames(Thread t);
    static native void enterRaw();
    static native void exitRaw();

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static void same(String name, Object actual, Object expected) {
        System.out.println(actual.equals(expected)
            ? "ok " + name : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    interface Condition {
        boolean holds();
    }

    static void await(Condition condition) throws Exception {
        while (!condition.holds())
            Thread.sleep(1);
    }

    /* ---- what a section does ---- */

    /** Is called in the section, with the lock held. */
    static class Work implements Interruptible {
        final Runnable work;

        Work(Runnable work) {
            this.work = work;
        }

        public void interrupt(Thread t) {
            inside = true;
            work.run();
        }

        public void postInterrupt() {
        }
    }

    static volatile boolean inside, leave, returned, after;
    static volatile int error;
    static volatile String seen;
    static Thread parked, interrupter;

    static void pause() {
        LockSupport.park();
    }

    static Object field(String name) throws Exception {
        var field = Thread.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(parked);
    }

    /** Starts a thread that interrupts another one, which runs the work, or nothing if that
        is null, with its lock held. */
    static void begin(boolean virtual, Runnable work) throws Exception {
        inside = leave = returned = after = false;
        parked = Thread.ofVirtual().start(Sections::pause);
        await(() -> parked.getState() == Thread.State.WAITING);
        var field = Thread.class.getDeclaredField("nioBlocker");
        field.setAccessible(true);
        if (work != null)
            field.set(parked, new Work(work));
        Runnable body = () -> {
            parked.interrupt();
            after = true;
        };
        interrupter = virtual ? Thread.ofVirtual().unstarted(body) : new Thread(body);
    }

    static void end() throws Exception {
        interrupter.join();
        parked.join();
    }

    /* ---- the section runs on ---- */

    static void spin() {
        while (!leave)
            Thread.onSpinWait();
    }

    static int suspend(String how) {
        return how.equals("one") ? suspend(interrupter)
            : how.equals("list") ? suspendList(interrupter) : suspendAll();
    }

    /** Who suspends a thread that runs in its section returns after the section. */
    static void runs(boolean virtual, String how) throws Exception {
        String name = (virtual ? "virtual-" : "platform-") + how + "-";
        begin(virtual, Sections::spin);
        interrupter.start();
        await(() -> inside);
        Thread suspender = new Thread(() -> {
            error = suspend(how);
            seen = frames(interrupter);
            returned = true;
        });
        suspender.start();
        await(() -> (state(interrupter) & SUSPENDED) != 0);
        /* A VM that returns too early has time to do so; another one never does. */
        for (int i = 0; i < 500 && !returned; i++)
            Thread.sleep(1);
        check(name + "waits", !returned);
        leave = true;
        suspender.join();
        same(name + "error", error, 0);
        check(name + "left", !seen.contains("spin"));
        synchronized (field("interruptLock")) {
            check(name + "interrupted", parked.isInterrupted());
        }
        same(name + "stands", frames(interrupter), seen);
        check(name + "before", !after);
        same(name + "resume", how.equals("all") ? resumeAll() : resume(interrupter), 0);
        end();
        check(name + "after", after);
    }

    /* ---- the thread waits ---- */

    /** A thread that waits for the section's lock has none: it is suspended there. */
    static void waitsForIt(boolean virtual) throws Exception {
        String name = (virtual ? "virtual-" : "platform-") + "for-it-", before;
        begin(virtual, null);
        synchronized (field("interruptLock")) {
            interrupter.start();
            await(() -> (state(interrupter) & BLOCKED) != 0);
            same(name + "suspend", suspend(interrupter), 0);
            before = frames(interrupter);
        }
        for (int i = 0; i < 200 && !parked.isInterrupted(); i++)
            synchronized (field("interruptLock")) {
                Thread.sleep(1);
            }
        check(name + "not-interrupted", !parked.isInterrupted());
        same(name + "stands", frames(interrupter), before);
        same(name + "resume", resume(interrupter), 0);
        end();
        check(name + "after", after);
    }

    static final Object other = new Object();

    static void enter() {
        synchronized (other) {
            after = false;
        }
    }

    /** One that has the lock and waits for what the caller owns is not waited for. */
    static void waitsInside(boolean virtual) throws Exception {
        String name = (virtual ? "virtual-" : "platform-") + "inside-";
        begin(virtual, Sections::enter);
        synchronized (other) {
            interrupter.start();
            await(() -> inside && (state(interrupter) & BLOCKED) != 0);
            same(name + "suspend", suspend(interrupter), 0);
        }
        synchronized (field("interruptLock")) {
            check(name + "interrupted", parked.isInterrupted());
        }
        check(name + "suspended", (state(interrupter) & SUSPENDED) != 0);
        check(name + "before", !after);
        same(name + "resume", resume(interrupter), 0);
        end();
        check(name + "after", after);
    }

    static void enterAndExitRaw() {
        enterRaw();
        exitRaw();
    }

    /** The same in native code, which waits for the caller's raw monitor. */
    static void waitsInNative(boolean virtual) throws Exception {
        String name = (virtual ? "virtual-" : "platform-") + "native-";
        begin(virtual, Sections::enterAndExitRaw);
        enterRaw();
        interrupter.start();
        await(() -> inside);
        same(name + "suspend", suspend(interrupter), 0);
        exitRaw();
        synchronized (field("interruptLock")) {
            check(name + "interrupted", parked.isInterrupted());
        }
        check(name + "before", !after);
        same(name + "resume", resume(interrupter), 0);
        end();
        check(name + "after", after);
    }

    public static void main(String[] args) throws Exception {
        for (boolean virtual : new boolean[] { false, true }) {
            runs(virtual, "one");
            runs(virtual, "list");
            waitsForIt(virtual);
            waitsInside(virtual);
            waitsInNative(virtual);
        }
        runs(true, "all");
    }
}
