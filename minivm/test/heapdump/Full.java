// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;

/** Runs out of memory twice. */
public class Full {
    static class Node {
        final int number;
        final Node next;

        Node(int number, Node next) {
            this.number = number;
            this.next = next;
        }
    }

    static Node head;
    static List<Object> all = new ArrayList<>();

    static void fill() {
        for (;;)
            all.add(new long[50000]);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 1000; i++)
            head = new Node(i, head);
        for (int i = 0; i < 2; i++)
            try {
                fill();
            } catch (OutOfMemoryError e) {
                all.clear();
                System.out.println(e.getMessage());
            }
    }
}
