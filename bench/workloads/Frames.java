// SPDX-License-Identifier: MIT
/** Calls agents/frames.c; prints seconds for a million operations. */
public class Frames {
    static native double getInt(Thread thread, int depth, int count);
    static native double setInt(Thread thread, int depth, int count);
    static native double getObject(Thread thread, int depth, int count);
    static native void suspend(Thread thread);
    static native void resume(Thread thread);
    static native void pop(Thread thread);
    static native void leave(Thread thread);
    static native void arm(int pops, int returns);

    static volatile int entries, returns;

    static int spin(int n, String s) {
        for (entries++;;)
            if (entries < 0)
                return n + s.length();
    }

    static void own(int n, String s, int count) {
        System.out.println("get-int-own " + getInt(null, 1, count));
        System.out.println("set-int-own " + setInt(null, 1, count));
        System.out.println("get-object-own " + getObject(null, 1, count));
    }

    static void other(Thread t, int count) {
        suspend(t);
        System.out.println("get-int-other " + getInt(t, 0, count));
        System.out.println("set-int-other " + setInt(t, 0, count));
        System.out.println("get-object-other " + getObject(t, 0, count));
        resume(t);
    }

    /** Until the target runs its method anew. */
    static double rounds(Thread t, boolean pop, int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int before = entries;
            if (pop)
                pop(t);
            else
                leave(t);
            while (entries == before)
                Thread.yield();
        }
        return (System.nanoTime() - start) / 1e3 / count;
    }

    static int target(int n) {
        return n;
    }

    /** In breakpoints of this thread. */
    static double events(boolean pop, int count) {
        int sum = 0;
        arm(pop ? count : 0, pop ? 0 : count);
        long start = System.nanoTime();
        for (int i = pop ? count - 1 : 0; i < count; i++)
            sum += target(1);
        double time = (System.nanoTime() - start) / 1e3 / count;
        arm(0, 0);
        if (sum != (pop ? 1 : count))
            throw new AssertionError(sum);
        return time;
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        own(1, "text", count * 10);
        events(true, count);
        System.out.println("pop-own " + events(true, count * 10));
        System.out.println("return-own " + events(false, count * 10));
        Thread t = new Thread(() -> {
            for (;;)
                returns += spin(5, "text");
        });
        t.setDaemon(true);
        t.start();
        while (entries == 0)
            Thread.yield();
        other(t, count * 5);
        rounds(t, true, count / 10);
        System.out.println("pop-other " + rounds(t, true, count));
        System.out.println("return-other " + rounds(t, false, count));
    }
}
