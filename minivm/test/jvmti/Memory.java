// SPDX-License-Identifier: MIT

public class Memory {
    static native void run();

    public static void main(String[] args) {
        run();
    }
}
