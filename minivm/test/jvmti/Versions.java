// SPDX-License-Identifier: MIT
// departs: level-18 refused, later than its release (Get Version Number)
// departs: level-19 refused, later than its release (Get Version Number)
// departs: level-20 refused, later than its release (Get Version Number)
// departs: level-21 refused, later than its release (Get Version Number)

public class Versions {
    static native void run();

    public static void main(String[] args) {
        run();
    }
}
