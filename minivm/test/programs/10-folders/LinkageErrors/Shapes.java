/* SPDX-License-Identifier: MIT */
/* The classes as their users saw them. */
interface Shape {
    default int area() {
        return 1;
    }

    default int sides() {
        return 1;
    }
}

class Circle implements Shape {
}

class Parent {
}

class Changing extends Parent {
    static final int CONSTANT = 1;
    int gone = 1, number = 2, fieldToStatic = 3, hiddenField = 4, made = 5;
    static int staticToField = 6;

    Changing() {
    }

    Changing(String s) {
    }

    int removed() {
        return 1;
    }

    int typed(int i) {
        return i;
    }

    int toStatic() {
        return 1;
    }

    static int toInstance() {
        return 1;
    }

    int hidden() {
        return 1;
    }

    int movedUp() {
        return 1;
    }
}

class WasClass {
    String hello() {
        return "hello";
    }
}

interface WasInterface {
    String hello();
}

class ImplementsIt implements WasInterface {
    public String hello() {
        return "hello";
    }
}

class NowAbstract {
}

class NowFinal {
}

class ExtendsFinal extends NowFinal {
}

class HasFinal {
    int fin() {
        return 1;
    }
}

class OverridesFinal extends HasFinal {
    @Override
    int fin() {
        return 2;
    }
}

class NowInterface {
}

class ExtendsInterface extends NowInterface {
}

class CycleA extends CycleB {
}

class CycleB {
}

class UsesGone {
    static Object make() {
        return new Gone();
    }
}

class Gone {
}

interface Left {
    default String name() {
        return "left";
    }
}

interface Right {
}

class Conflict implements Left, Right {
}

enum Planet { MARS, PLUTO, EARTH }

interface Copier {
    Object clone();
}

class Copy implements Copier {
    public Object clone() {
        return "copy";
    }
}

class Base {
    int[] own(int n, String[][] text) {
        return null;
    }
}

abstract class Middle extends Base {
    abstract int[] own(int n, String[][] text);
}

class Leaf extends Middle {
    int[] own(int n, String[][] text) {
        return new int[n];
    }
}
