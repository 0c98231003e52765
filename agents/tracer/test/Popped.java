// SPDX-License-Identifier: MIT
/** A call whose frame an agent pops, so that it is made once more (JVM TI "Pop Frame"). */
public class Popped {
    static volatile int calls;
    static volatile boolean released;

    /** Suspends a thread, pops its top frame and resumes it. */
    static native void pop(Thread thread);

    static void inner() {
        calls++;
        while (!released)
            ;
    }

    static void outer() {
        inner();
    }

    static void await(int count) {
        while (calls < count)
            Thread.onSpinWait();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(Popped::outer, "popped");
        thread.start();
        await(1);
        pop(thread);
        await(2);
        released = true;
        thread.join();
        System.out.println(calls + " calls");
    }
}
