/* SPDX-License-Identifier: MIT */
/* Erasure, bridges, covariant returns, bounded types, heap pollution. */
import java.util.*;
import java.util.function.Function;

public class Generics {
    static abstract class Node<T extends Comparable<T>> {
        T value;

        abstract Node<T> with(T t);

        int compare(T other) {
            return value.compareTo(other);
        }
    }

    static class IntNode extends Node<Integer> {
        @Override
        IntNode with(Integer i) {
            IntNode n = new IntNode();
            n.value = i;
            return n;
        }

        @Override
        int compare(Integer other) {
            return -super.compare(other);
        }
    }

    interface Visitor<R> {
        R visitLeaf(int v);

        R visitPair(Tree a, Tree b);
    }

    interface Tree {
        <R> R accept(Visitor<R> v);
    }

    static Tree leaf(int n) {
        return new Tree() {
            @Override
            public <R> R accept(Visitor<R> v) {
                return v.visitLeaf(n);
            }
        };
    }

    static Tree pair(Tree a, Tree b) {
        return new Tree() {
            @Override
            public <R> R accept(Visitor<R> v) {
                return v.visitPair(a, b);
            }
        };
    }

    static <T> T[] arrayOf(@SuppressWarnings("unchecked") T... all) {
        return all;
    }

    @SuppressWarnings("unchecked")
    static <T> T cast(Object o) {
        return (T) o;
    }

    static <K, V extends Comparable<? super V>> List<K> byValue(Map<K, V> map) {
        List<K> keys = new ArrayList<>(map.keySet());
        keys.sort(Comparator.comparing(map::get));
        return keys;
    }

    static abstract class Self<S extends Self<S>> {
        List<String> log = new ArrayList<>();

        abstract S me();

        S add(String s) {
            log.add(s);
            return me();
        }
    }

    static class Chain extends Self<Chain> {
        @Override
        Chain me() {
            return this;
        }

        Chain twice(String s) {
            return add(s).add(s);
        }
    }

    public static void main(String[] args) {
        Node<Integer> n = new IntNode().with(5);
        System.out.println(n.compare(3));
        System.out.println(n.getClass().getDeclaredMethods().length);
        Tree t = pair(leaf(1), pair(leaf(2), leaf(3)));
        int sum = t.accept(new Visitor<Integer>() {
            @Override
            public Integer visitLeaf(int v) {
                return v;
            }

            @Override
            public Integer visitPair(Tree a, Tree b) {
                return a.accept(this) + b.accept(this);
            }
        });
        String text = t.accept(new Visitor<String>() {
            @Override
            public String visitLeaf(int v) {
                return "" + v;
            }

            @Override
            public String visitPair(Tree a, Tree b) {
                return "(" + a.accept(this) + " " + b.accept(this) + ")";
            }
        });
        System.out.println(sum + " " + text);
        System.out.println(arrayOf("a", "b").getClass().getName());
        System.out.println(arrayOf(1, "b").getClass().getName());
        try {
            Integer i = cast("text");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        List<String> polluted = new ArrayList<>();
        Generics.<List<Object>>cast(polluted).add(5);
        try {
            String s = polluted.get(0);
        } catch (ClassCastException e) {
            System.out.println("polluted");
        }
        System.out.println(byValue(new TreeMap<>(Map.of("x", 3, "y", 1, "z", 2))));
        System.out.println(new Chain().add("a").twice("b").log);
        Function<? super Integer, ? extends Number> f = i -> i * 1.5;
        System.out.println(f.apply(3));
        Object o = new ArrayList<List<? extends Number>>() { }.getClass()
            .getGenericSuperclass();
        System.out.println(o);
    }
}
