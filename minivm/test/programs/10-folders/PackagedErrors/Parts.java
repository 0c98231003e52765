/* SPDX-License-Identifier: MIT */
package parts;

interface Abstracting extends Uses.Defaulting {
}

interface Other {
    default String n() {
        return "other";
    }
}

class Plain {
    void work() {
    }
}

class Heir extends Middle {
}

class Middle {
    void work() {
    }
}

class Changed {
    int count;
    Uses uses;
    static Uses[] array;

    Changed(int n) {
    }

    Changed() {
    }

    String act(Uses[] a, long b) {
        return "act";
    }

    static Uses make() {
        return null;
    }
}
