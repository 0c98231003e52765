// SPDX-License-Identifier: MIT

/** The depths of monitors that a thread has entered more than once, by frames and by JNI. */
public class OwnedDepths {
    static final Object a = new Object(), b = new Object();

    /** Depth and name of each monitor, in the order of GetOwnedMonitorStackDepthInfo. */
    static native String owned(Object a, Object b);
    /** Calls run between JNI's MonitorEnter and MonitorExit of lock. */
    static native void within(Object lock, Runnable run);

    static void expect(String name, String expected) {
        String actual = owned(a, b);

        System.out.println(actual.equals(expected) ? "ok " + name
                           : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    static void inner(String name, String expected) {
        synchronized (a) {
            expect(name, expected);
        }
    }

    /** Depths count from owned and expect; within has the lambda and its class around. */
    public static void main(String[] args) {
        synchronized (a) {
            inner("recursion", "2:a ");
            synchronized (b) {
                inner("recursion-around", "2:a 3:b ");
            }
        }
        within(a, () -> inner("java-in-jni", "2:a "));
        within(a, () -> expect("jni", "-1:a "));
        synchronized (a) {
            within(a, () -> {
                synchronized (b) {
                    expect("jni-in-java", "2:b 5:a ");
                }
            });
        }
        within(b, () -> inner("jni-is-last", "2:a -1:b "));
    }
}
