/* SPDX-License-Identifier: MIT */
package tck;

/** An object graph whose edges are known: see tck/agent/heap.c. */
class Graph extends GraphBase implements GraphConstants {
    Graph left;
    int number = 17;
    Graph right;
    Object[] array;
    static Object shared = new Object();
    static int count = 23;

    /** root: left = a, right = a, array = { b, null, root }, inherited = b. */
    static Graph build() {
        Graph root = new Graph();
        Graph a = new Graph();
        Graph b = new Graph();
        root.left = a;
        root.right = a;
        root.array = new Object[] { b, null, root };
        root.inherited = b;
        return root;
    }

    static Object[] children(Graph root) {
        return new Object[] { root.left, root.array[0], root.array };
    }

    /** A constant that is resolved when this has been called. */
    static String constant() {
        return "a constant of tck.Graph";
    }

    static int[] ints() {
        return new int[] { 1, -2, 3 };
    }

    static Object sub() {
        return new Sub();
    }

    static volatile Object sink;

    /** Garbage of a class that nothing else instantiates; a compiler has to make it. */
    static void dropped() {
        sink = new Dropped();
        sink = null;
    }

    static final class Sub extends Graph {
    }

    static final class Dropped {
        Dropped() {
        }
    }
}

/** Field index 1 of a Graph: one field of an interface stands before it. */
class GraphBase {
    Object inherited;
}

interface GraphConstants {
    Object CONSTANT = new Object();
}
