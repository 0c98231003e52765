/* SPDX-License-Identifier: MIT */
/* User-defined Iterable and Iterator, generators, nested iteration. */
import java.util.*;

public class Iteration {
    static class Range implements Iterable<Integer> {
        final int from, to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int next = from;

                @Override
                public boolean hasNext() {
                    return next < to;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("at " + next);
                    }
                    return next++;
                }
            };
        }
    }

    static class Tree<T extends Comparable<T>> implements Iterable<T> {
        class Node {
            final T value;
            Node left, right;

            Node(T value) {
                this.value = value;
            }
        }

        Node root;

        boolean add(T value) {
            if (root == null) {
                root = new Node(value);
                return true;
            }
            for (Node n = root;;) {
                int order = value.compareTo(n.value);
                if (order == 0) {
                    return false;
                }
                Node next = order < 0 ? n.left : n.right;
                if (next == null) {
                    if (order < 0) {
                        n.left = new Node(value);
                    } else {
                        n.right = new Node(value);
                    }
                    return true;
                }
                n = next;
            }
        }

        @Override
        public Iterator<T> iterator() {
            Deque<Node> stack = new ArrayDeque<>();
            for (Node n = root; n != null; n = n.left) {
                stack.push(n);
            }
            return new Iterator<T>() {
                @Override
                public boolean hasNext() {
                    return !stack.isEmpty();
                }

                @Override
                public T next() {
                    Node top = stack.pop();
                    for (Node n = top.right; n != null; n = n.left) {
                        stack.push(n);
                    }
                    return top.value;
                }
            };
        }
    }

    public static void main(String[] args) {
        int product = 0;
        for (int i : new Range(1, 5)) {
            for (int j : new Range(i, 6)) {
                product += i * j;
            }
        }
        System.out.println(product);
        Iterator<Integer> it = new Range(3, 4).iterator();
        it.next();
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        Tree<String> tree = new Tree<>();
        for (String s : "the quick brown fox jumps over the lazy dog".split(" ")) {
            System.out.print(tree.add(s) ? "+" : "-");
        }
        System.out.println();
        for (String s : tree) {
            System.out.print(s + " ");
        }
        System.out.println();
        Tree<Double> numbers = new Tree<>();
        double x = 0.5;
        for (int i = 0; i < 1000; i++) {
            x = 3.99 * x * (1 - x);
            numbers.add(Math.floor(x * 100));
        }
        double last = -1;
        int count = 0;
        for (double d : numbers) {
            if (d <= last) {
                throw new AssertionError();
            }
            last = d;
            count++;
        }
        System.out.println(count + " " + last);
        new Range(0, 3).forEach(System.out::println);
        Spliterator<Integer> split = new Range(0, 10).spliterator();
        split.tryAdvance(i -> System.out.println("first " + i));
    }
}
