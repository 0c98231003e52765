/* SPDX-License-Identifier: MIT */
/* What became of some of them. */
interface Shape {
    int area();

    default int sides() {
        return 7;
    }
}

class Parent {
    int movedUp() {
        return 77;
    }
}

class Changing extends Parent {
    static final int CONSTANT = 2;
    long number = 2;
    static int fieldToStatic = 3;
    private int hiddenField = 4;
    final int made = 5;
    int staticToField = 6;

    Changing() {
    }

    long typed(int i) {
        return i;
    }

    static int toStatic() {
        return 1;
    }

    int toInstance() {
        return 1;
    }

    private int hidden() {
        return 1;
    }
}

interface WasClass {
    String hello();
}

class WasInterface {
    String hello() {
        return "class";
    }
}

abstract class NowAbstract {
}

final class NowFinal {
}

class HasFinal {
    final int fin() {
        return 1;
    }
}

interface NowInterface {
}

interface Right {
    default String name() {
        return "right";
    }
}

enum Planet { EARTH, MARS }
