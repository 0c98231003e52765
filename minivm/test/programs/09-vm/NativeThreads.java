/* SPDX-License-Identifier: MIT */
/* Threads made in C: attach, call Java, fail, detach; daemon attachment. */
public class NativeThreads {
    static {
        System.loadLibrary("NativeThreads");
    }

    static native int run(Runnable r, String name, boolean daemon, boolean leave);

    static native boolean attachedHere();

    public static void main(String[] args) throws Exception {
        System.out.println(attachedHere());
        System.out.println(run(() -> {
            Thread t = Thread.currentThread();
            System.out.println(t.getName() + " " + t.isDaemon() + " " + t.getThreadGroup().getName()
                + " " + t.getStackTrace().length);
            synchronized (NativeThreads.class) {
                System.out.println(Thread.holdsLock(NativeThreads.class));
            }
        }, "from C", false, false));
        System.out.println(run(() -> System.out.println(Thread.currentThread().isDaemon()), "daemon",
            true, false));
        System.out.println(run(() -> {
            throw new IllegalStateException("in an attached thread");
        }, "failing", false, false));
        for (int i = 0; i < 20; i++) {
            run(() -> { }, "many", false, false);
        }
    }
}
