/* SPDX-License-Identifier: MIT */
package parts;

interface Abstracting extends Uses.Defaulting {
    String m(int[] x, Uses y);
}

interface Other {
    default String m(int[] x, Uses y) {
        return "other";
    }
}

class Plain {
    static void work() {
    }
}

abstract class Middle {
    abstract void work();
}

class Changed {
}
