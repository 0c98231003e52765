// SPDX-License-Identifier: MIT

/** Replaced by the version in changed/ while the program runs. */
class Part {
    static String text() {
        return "old text";
    }
}
