// SPDX-License-Identifier: MIT

class Opened {
    @Mark("two") public void open() {
    }
}

interface Shape {
    default String name() {
        return "shape two " + own();
    }

    private String own() {
        return "private two";
    }

    static String of() {
        return "static two";
    }
}

class Lazy {
    static int made = Redefine.note("lazy two");
}

class Pair {
    static String left() {
        return "left two";
    }
}

class Pear {
    static String right() {
        return "right two";
    }
}
