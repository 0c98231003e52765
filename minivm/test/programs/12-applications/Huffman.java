/* SPDX-License-Identifier: MIT */
/* Huffman and LZW coding of a text, with bit streams, there and back. */
import java.io.*;
import java.util.*;

public class Huffman {
    static abstract class Node implements Comparable<Node> {
        final int weight, order;

        Node(int weight, int order) {
            this.weight = weight;
            this.order = order;
        }

        @Override
        public int compareTo(Node o) {
            return weight != o.weight ? Integer.compare(weight, o.weight)
                : Integer.compare(order, o.order);
        }
    }

    static final class Leaf extends Node {
        final char c;

        Leaf(char c, int weight, int order) {
            super(weight, order);
            this.c = c;
        }
    }

    static final class Pair extends Node {
        final Node zero, one;

        Pair(Node zero, Node one, int order) {
            super(zero.weight + one.weight, order);
            this.zero = zero;
            this.one = one;
        }
    }

    static void codes(Node n, String prefix, Map<Character, String> out) {
        if (n instanceof Leaf l) {
            out.put(l.c, prefix);
        } else if (n instanceof Pair p) {
            codes(p.zero, prefix + "0", out);
            codes(p.one, prefix + "1", out);
        }
    }

    static List<Integer> lzw(String s) {
        Map<String, Integer> table = new HashMap<>();
        for (char c = 0; c < 256; c++) {
            table.put("" + c, (int) c);
        }
        List<Integer> out = new ArrayList<>();
        String w = "";
        for (char c : s.toCharArray()) {
            if (table.containsKey(w + c)) {
                w += c;
            } else {
                out.add(table.get(w));
                table.put(w + c, table.size());
                w = "" + c;
            }
        }
        out.add(table.get(w));
        return out;
    }

    static String unlzw(List<Integer> codes) {
        List<String> table = new ArrayList<>();
        for (char c = 0; c < 256; c++) {
            table.add("" + c);
        }
        String w = table.get(codes.get(0));
        StringBuilder sb = new StringBuilder(w);
        for (int code : codes.subList(1, codes.size())) {
            String e = code < table.size() ? table.get(code) : w + w.charAt(0);
            sb.append(e);
            table.add(w + e.charAt(0));
            w = e;
        }
        return sb.toString();
    }

    public static void main(String[] args) throws IOException {
        StringBuilder sb = new StringBuilder();
        Random r = new Random(77);
        String[] words = "the of and a to in is you that it he was for on are".split(" ");
        for (int i = 0; i < 2000; i++) {
            sb.append(words[Math.min(r.nextInt(15), r.nextInt(15))]).append(i % 13 == 0 ? ".\n" : " ");
        }
        String text = sb.toString();
        int[] freq = new int[128];
        for (char c : text.toCharArray()) {
            freq[c]++;
        }
        PriorityQueue<Node> q = new PriorityQueue<>();
        int order = 0;
        for (char c = 0; c < 128; c++) {
            if (freq[c] > 0) {
                q.add(new Leaf(c, freq[c], order++));
            }
        }
        while (q.size() > 1) {
            q.add(new Pair(q.poll(), q.poll(), order++));
        }
        Node root = q.poll();
        Map<Character, String> codes = new TreeMap<>();
        codes(root, "", codes);
        System.out.println(codes);
        BitSet bits = new BitSet();
        int n = 0;
        for (char c : text.toCharArray()) {
            for (char b : codes.get(c).toCharArray()) {
                bits.set(n++, b == '1');
            }
        }
        StringBuilder back = new StringBuilder();
        for (int i = 0; i < n;) {
            Node node = root;
            while (node instanceof Pair p) {
                node = bits.get(i++) ? p.one : p.zero;
            }
            back.append(((Leaf) node).c);
        }
        System.out.println(text.length() * 8 + " " + n + " " + back.toString().equals(text) + " "
            + Arrays.hashCode(bits.toByteArray()));
        List<Integer> z = lzw(text);
        System.out.println(z.size() + " " + z.hashCode() + " " + unlzw(z).equals(text));
    }
}
