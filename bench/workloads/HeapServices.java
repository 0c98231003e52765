// SPDX-License-Identifier: MIT
/** Calls agents/heap.c; prints seconds for a million operations. */
public class HeapServices {
    static class Node {
        Node next, other;
        long value;
    }

    static native double setTags(Object[] objects);
    static native double getTags(Object[] objects);
    static native double clearTags(Object[] objects);
    static native double iterate();
    static native double follow();
    static native double withTag(int tagged);
    static native void sample(int interval);
    static native double time();

    static Node[] nodes;
    static Node last;

    /** A list with links to random other nodes. */
    static void build(int count) {
        long random = 42;
        nodes = new Node[count];
        for (int i = 0; i < count; i++) {
            Node n = new Node();
            nodes[i] = n;
            if (i > 0) {
                random = random * 6364136223846793005L + 1442695040888963407L;
                n.next = nodes[i - 1];
                n.other = nodes[(int)((random >>> 33) % i)];
            }
        }
    }

    static double allocate(int count) {
        double start = time();
        for (int i = 0; i < count; i++)
            last = new Node();
        return (time() - start) * 1e6 / count;
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]), tagged = count / 2;
        build(count);
        Object[] some = new Object[tagged];
        System.arraycopy(nodes, 0, some, 0, tagged);
        iterate();
        System.out.println("iterate " + iterate());
        follow();
        System.out.println("follow " + follow());
        System.out.println("set-tag " + setTags(some));
        System.out.println("get-tag " + getTags(some));
        withTag(tagged);
        System.out.println("with-tag " + withTag(tagged));
        System.out.println("iterate-tagged " + iterate());
        System.out.println("follow-tagged " + follow());
        System.out.println("clear-tag " + clearTags(some));
        for (int i = 0; i < 3; i++)
            allocate(count * 4);
        double before = allocate(count * 4);
        sample(0);
        allocate(count / 4);
        double every = allocate(count / 4);
        sample(-1);
        System.out.println("sample " + (every - before));
    }
}
