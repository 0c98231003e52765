// SPDX-License-Identifier: MIT
// departs: allocate-failed-stores-nothing stores NULL (Allocate)

public class Memory {
    static native void run();

    public static void main(String[] args) {
        run();
    }
}
