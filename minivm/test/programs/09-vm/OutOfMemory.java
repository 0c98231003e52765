/* SPDX-License-Identifier: MIT */
// vm: -Xmx32m
/* OutOfMemoryError is thrown, caught, and survived. */
import java.util.*;

public class OutOfMemory {
    static class Node {
        Node next;
        long[] payload = new long[100];
    }

    static class Init {
        static final long[] HUGE = new long[1 << 28];

        static void touch() {
        }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            List<byte[]> list = new ArrayList<>();
            try {
                while (true) {
                    list.add(new byte[1 << 20]);
                }
            } catch (OutOfMemoryError e) {
                int n = list.size();
                list = null;
                System.out.println(e.getMessage() + " " + (n > 10) + " " + (n < 33));
            }
        }
        Node head = null;
        int count = 0;
        try {
            while (true) {
                Node n = new Node();
                n.next = head;
                head = n;
                count++;
            }
        } catch (OutOfMemoryError e) {
            head = null;
            System.out.println(e.getMessage() + " " + (count > 10000));
        }
        try {
            int[] big = new int[Integer.MAX_VALUE];
            System.out.println(big.length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = new long[100_000_000];
            System.out.println(o);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = new int[1000][1000][1000];
            System.out.println(o);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 2; i++) {
            try {
                Init.touch();
            } catch (OutOfMemoryError e) {
                System.out.println("in <clinit>: " + e.getMessage());
            } catch (NoClassDefFoundError e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            StringBuilder sb = new StringBuilder("x");
            while (true) {
                sb.append(sb);
            }
        } catch (OutOfMemoryError e) {
            System.out.println("StringBuilder " + (e.getMessage() != null));
        }
        long total = 0;
        for (int i = 0; i < 300; i++) {
            total += new byte[1 << 20].length;
        }
        System.out.println(total);
        System.out.println(Runtime.getRuntime().maxMemory() <= 32 << 20);
    }
}
