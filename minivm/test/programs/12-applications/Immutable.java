/* SPDX-License-Identifier: MIT */
/* Persistent data: a red-black tree and a trie, compared with TreeMap. */
import java.util.*;
import java.util.function.*;

public class Immutable {
    static final class Tree<K extends Comparable<K>, V> {
        final boolean red;
        final Tree<K, V> left, right;
        final K key;
        final V value;

        Tree(boolean red, Tree<K, V> left, K key, V value, Tree<K, V> right) {
            this.red = red;
            this.left = left;
            this.key = key;
            this.value = value;
            this.right = right;
        }

        static <K extends Comparable<K>, V> boolean isRed(Tree<K, V> t) {
            return t != null && t.red;
        }

        static <K extends Comparable<K>, V> Tree<K, V> balance(boolean red, Tree<K, V> l, K k, V v,
                                                                Tree<K, V> r) {
            if (!red && isRed(l) && isRed(l.left)) {
                return new Tree<>(true, black(l.left), l.key, l.value,
                    new Tree<>(false, l.right, k, v, r));
            }
            if (!red && isRed(l) && isRed(l.right)) {
                return new Tree<>(true, new Tree<>(false, l.left, l.key, l.value, l.right.left),
                    l.right.key, l.right.value, new Tree<>(false, l.right.right, k, v, r));
            }
            if (!red && isRed(r) && isRed(r.left)) {
                return new Tree<>(true, new Tree<>(false, l, k, v, r.left.left), r.left.key,
                    r.left.value, new Tree<>(false, r.left.right, r.key, r.value, r.right));
            }
            if (!red && isRed(r) && isRed(r.right)) {
                return new Tree<>(true, new Tree<>(false, l, k, v, r.left), r.key, r.value,
                    black(r.right));
            }
            return new Tree<>(red, l, k, v, r);
        }

        static <K extends Comparable<K>, V> Tree<K, V> black(Tree<K, V> t) {
            return new Tree<>(false, t.left, t.key, t.value, t.right);
        }

        static <K extends Comparable<K>, V> Tree<K, V> insert(Tree<K, V> t, K k, V v) {
            if (t == null) {
                return new Tree<>(true, null, k, v, null);
            }
            int c = k.compareTo(t.key);
            return c < 0 ? balance(t.red, insert(t.left, k, v), t.key, t.value, t.right)
                : c > 0 ? balance(t.red, t.left, t.key, t.value, insert(t.right, k, v))
                : new Tree<>(t.red, t.left, k, v, t.right);
        }

        static <K extends Comparable<K>, V> Tree<K, V> put(Tree<K, V> t, K k, V v) {
            return black(insert(t, k, v));
        }

        void each(BiConsumer<K, V> f) {
            if (left != null) {
                left.each(f);
            }
            f.accept(key, value);
            if (right != null) {
                right.each(f);
            }
        }

        int height() {
            return 1 + Math.max(left == null ? 0 : left.height(), right == null ? 0 : right.height());
        }
    }

    static final class Trie {
        final Map<Character, Trie> next = new TreeMap<>();
        int count;

        void add(String s) {
            Trie t = this;
            for (char c : s.toCharArray()) {
                t = t.next.computeIfAbsent(c, k -> new Trie());
            }
            t.count++;
        }

        void words(String prefix, List<String> out) {
            if (count > 0) {
                out.add(prefix + "=" + count);
            }
            next.forEach((c, t) -> t.words(prefix + c, out));
        }
    }

    public static void main(String[] args) {
        Tree<Integer, String> t = null;
        TreeMap<Integer, String> m = new TreeMap<>();
        Random r = new Random(5);
        List<Tree<Integer, String>> versions = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            int k = r.nextInt(3000);
            t = Tree.put(t, k, "v" + i);
            m.put(k, "v" + i);
            if (i % 1000 == 0) {
                versions.add(t);
            }
        }
        Map<Integer, String> seen = new LinkedHashMap<>();
        t.each(seen::put);
        System.out.println(seen.equals(m) + " " + List.copyOf(seen.keySet()).equals(
            List.copyOf(m.keySet())) + " " + (t.height() < 24));
        for (Tree<Integer, String> v : versions) {
            int[] n = new int[1];
            v.each((k, x) -> n[0]++);
            System.out.print(n[0] + " ");
        }
        System.out.println();
        Trie trie = new Trie();
        for (String w : "to tea ted ten i in inn tea a at".split(" ")) {
            trie.add(w);
        }
        List<String> words = new ArrayList<>();
        trie.words("", words);
        System.out.println(words);
    }
}
