// SPDX-License-Identifier: MIT
// departs 17: level-18 refused, later than its release (Get Version Number)
// departs 17: level-19 refused, later than its release (Get Version Number)
// departs 17: level-20 refused, later than its release (Get Version Number)
// departs 17: level-21 refused, later than its release (Get Version Number)

public class Versions {
    /** feature: the number of the release. */
    static native void run(int feature);

    public static void main(String[] args) {
        run(Runtime.version().feature());
    }
}
