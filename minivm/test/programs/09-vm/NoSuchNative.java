/* SPDX-License-Identifier: MIT */
/* UnsatisfiedLinkError of a native method without a library. */
public class NoSuchNative {
    static native int missing(String s, int[] a, long... l);

    native void instance();

    static native synchronized void locked();

    public static void main(String[] args) {
        try {
            missing("", null);
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 2; i++) {
            try {
                new NoSuchNative().instance();
            } catch (UnsatisfiedLinkError e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            locked();
        } catch (UnsatisfiedLinkError e) {
            System.out.println(Thread.holdsLock(NoSuchNative.class));
        }
    }
}
