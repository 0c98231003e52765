/* SPDX-License-Identifier: MIT */
// vm: -Xmx48m
/* Long allocation with a live graph that changes all the time, checked. */
import java.util.*;

public class GcChurn {
    static final class Node {
        final int id;
        Node a, b;
        Object extra;

        Node(int id) {
            this.id = id;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Node[] live = new Node[2000];
        Random r = new Random(11);
        long checksum = 0;
        for (int i = 0; i < 400_000; i++) {
            int at = r.nextInt(live.length);
            Node n = new Node(i);
            n.a = live[r.nextInt(live.length)];
            if (n.a != null) {
                n.a.b = null;
                n.a.a = null;
            }
            switch (i % 7) {
            case 0:
                n.extra = new int[] { i, i + 1 };
                break;
            case 1:
                n.extra = "s" + i;
                break;
            case 2:
                n.extra = new long[i % 300];
                break;
            case 3:
                n.extra = (Long) (long) i;
                break;
            default:
                break;
            }
            live[at] = n;
        }
        for (Node n : live) {
            if (n != null) {
                checksum = checksum * 31 + n.id;
                if (n.extra instanceof int[] ints) {
                    checksum += ints[1] - ints[0] + (ints[0] == n.id ? 0 : 1 << 20);
                } else if (n.extra instanceof String s) {
                    checksum += s.equals("s" + n.id) ? 3 : 1 << 20;
                } else if (n.extra instanceof Long l) {
                    checksum += l == n.id ? 5 : 1 << 20;
                }
            }
        }
        System.out.println(checksum);
        Thread[] t = new Thread[4];
        long[] sums = new long[4];
        for (int k = 0; k < 4; k++) {
            int id = k;
            t[k] = new Thread(() -> {
                LinkedList<byte[]> window = new LinkedList<>();
                for (int i = 0; i < 3000; i++) {
                    byte[] b = new byte[1000 + i % 500];
                    Arrays.fill(b, (byte) (i + id));
                    window.add(b);
                    if (window.size() > 50) {
                        byte[] old = window.removeFirst();
                        byte want = (byte) (i - 50 + id);
                        if (old[0] != want || old[old.length - 1] != want) {
                            sums[id] += 1 << 30;
                        }
                        sums[id] += old.length;
                    }
                }
            });
            t[k].start();
        }
        for (Thread x : t) {
            x.join();
        }
        System.out.println(Arrays.toString(sums));
        Map<Object, Integer> identity = new IdentityHashMap<>();
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            Object o = new Object();
            identity.put(o, i);
            keys.add(o);
        }
        System.gc();
        int found = 0;
        for (int i = 0; i < keys.size(); i++) {
            found += identity.get(keys.get(i)) == i ? 1 : 0;
        }
        System.out.println(found);
        Node head = null;
        for (int i = 0; i < 200_000; i++) {
            Node n = new Node(i);
            n.a = head;
            head = n;
        }
        System.gc();
        int length = 0;
        for (Node n = head; n != null; n = n.a) {
            length++;
        }
        System.out.println(length);
    }
}
