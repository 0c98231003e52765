// SPDX-License-Identifier: MIT

/** What Target sees after the redefinition. */
class Part {
    static String text() {
        return "new text";
    }
}
