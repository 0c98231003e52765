/* SPDX-License-Identifier: MIT */
/* A long chain, each link of which retains those behind it, and a registry that retains less
   than most links do. */
public class Chain {
    static class Link {
        Link next;
        final byte[] load = new byte[100];
    }

    static class Registry {
        final byte[][] blocks = new byte[50][];
    }

    static Link head;
    static final Registry registry = new Registry();

    public static void main(String[] args) {
        for (int i = 0; i < 50000; i++) {
            Link link = new Link();
            link.next = head;
            head = link;
        }
        for (int i = 0; i < registry.blocks.length; i++) {
            registry.blocks[i] = new byte[10000];
        }
        System.out.println(registry.blocks.length);
    }
}
