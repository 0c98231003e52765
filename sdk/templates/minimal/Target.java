// SPDX-License-Identifier: @license@
// @copyright@
/** Starts three threads one after the other. */
public class Target {
    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> { });
            thread.start();
            thread.join();
        }
        System.out.println("done");
    }
}
