// SPDX-License-Identifier: MIT

/** The children of a group, also while an exception is pending. */
public class Groups {
    static native void run(ThreadGroup group, ThreadGroup first, ThreadGroup second,
        Thread member, boolean pending);

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("parent");
        ThreadGroup first = new ThreadGroup(group, "first");
        ThreadGroup second = new ThreadGroup(group, "second");
        Object latch = new Object();
        Thread member = new Thread(group, () -> {
            synchronized (latch) {
            }
        });

        synchronized (latch) {
            member.start();
            run(group, first, second, member, false);
            try {
                run(group, first, second, member, true);
                System.out.println("not ok the exception stays");
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage().equals("pending")
                    ? "ok the exception stays" : "not ok the exception stays: " + e);
            }
        }
        member.join();
    }
}
