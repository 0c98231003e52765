// SPDX-License-Identifier: MIT

/** What a thread owns in the callbacks about a monitor that it had to wait for. */
public class Contended {
    static final Object outer = new Object(), lock = new Object();

    /** Owned monitors and their depths are noted in the callbacks for lock. */
    static native void watch(Object lock, Object outer);
    /** "enter" or "entered", then depth and name of each, outermost last. */
    static native String notes();

    static void enter() {
        synchronized (lock) {
            return;
        }
    }

    static void wholly() {
        synchronized (outer) {
            enter();
        }
    }

    public static void main(String[] args) throws Exception {
        watch(lock, outer);
        Thread t = new Thread(Contended::wholly);
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
        }
        t.join();
        String expected = "enter 1:outer entered 0:lock 1:outer ";
        String actual = notes();
        System.out.println(actual.equals(expected) ? "ok owned"
                           : "not ok owned: " + actual + ", expected " + expected);
    }
}
