/* SPDX-License-Identifier: MIT */
package tck;

/** What the cases about redefinition observe. */
final class Redefs {
    static int initialisations;

    private Redefs() {
    }

    static int version() {
        return Redef.version();
    }

    static int counter() {
        return Redef.counter;
    }

    static void setCounter(int value) {
        Redef.counter = value;
    }

    static int same(int a) {
        return Redef.same(a);
    }

    static Object create() {
        return new Redef();
    }

    static int get(Object object) {
        return ((Redef) object).get();
    }

    private static volatile int stayed;

    static Thread enter() {
        Redef.inside = false;
        Redef.leave = false;
        stayed = 0;
        Thread thread = new Thread(() -> stayed = Redef.stay(), "stayer");
        thread.setDaemon(true);
        thread.start();
        while (!Redef.inside)
            Thread.onSpinWait();
        return thread;
    }

    static int leave(Thread thread) throws InterruptedException {
        Redef.leave = true;
        thread.join();
        return stayed;
    }
}
