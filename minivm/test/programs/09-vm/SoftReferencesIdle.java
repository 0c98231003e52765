/* SPDX-License-Identifier: MIT */
/* With memory to spare, soft references stay; also those older than any collection. */
import java.lang.ref.SoftReference;

public class SoftReferencesIdle {
    public static void main(String[] args) throws InterruptedException {
        SoftReference<byte[]> early = new SoftReference<>(new byte[100]);
        System.gc();
        SoftReference<byte[]> late = new SoftReference<>(new byte[100]);
        for (int i = 0; i < 2; i++) {
            Thread.sleep(20);
            System.gc();
        }
        System.out.println("early: " + (early.get() != null)
                           + ", late: " + (late.get() != null));
    }
}
