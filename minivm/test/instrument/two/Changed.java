// SPDX-License-Identifier: MIT
class Changed {
    static int count = 5;

    static String text() {
        return "two " + count;
    }
}

class Added {
    static void more() {
    }
}

class Field {
    int a;
}

class Super extends Changed {
}

final class Modifiers {
}
