// SPDX-License-Identifier: @license@
// @copyright@
/** Makes 500 things at one place, 20 at another and ten arrays of 1000 bytes. */
public class Target {
    static class Thing {
        int value;
    }

    static Object last;

    static void many() {
        for (int i = 0; i < 500; i++)
            last = new Thing();
    }

    static void few() {
        for (int i = 0; i < 20; i++)
            last = new Thing();
    }

    static void arrays() {
        for (int i = 0; i < 10; i++)
            last = new Thing[1000];
    }

    public static void main(String[] args) throws InterruptedException {
        // HotSpot takes a new interval into account with a thread's next sample, so the
        // first thread would have its first after 512 kB only.
        Thread thread = new Thread(() -> {
            many();
            few();
            arrays();
        });
        thread.start();
        thread.join();
        // A clone is made by the VM itself.
        int[][] arrays = new int[3][7];
        for (int i = 0; i < 30; i++)
            last = arrays.clone();
        System.out.println("done");
    }
}
