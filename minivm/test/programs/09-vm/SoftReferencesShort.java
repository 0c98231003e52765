/* SPDX-License-Identifier: MIT */
/* Soft references that may not outlive a moment without use, by an option. */
// vm: -XX:SoftRefLRUPolicyMSPerMB=0
import java.lang.ref.SoftReference;

public class SoftReferencesShort {
    public static void main(String[] args) throws InterruptedException {
        SoftReference<byte[]> idle = new SoftReference<>(new byte[100]);
        Object held = new Object();
        SoftReference<Object> strong = new SoftReference<>(held);

        // The clock that counts is that of collections, so it takes two of them.
        for (int i = 0; i < 2; i++) {
            Thread.sleep(20);
            System.gc();
        }
        System.out.println("idle: " + idle.get() + ", held: " + (strong.get() == held));
    }
}
