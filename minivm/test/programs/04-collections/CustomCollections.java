/* SPDX-License-Identifier: MIT */
/* AbstractList, AbstractMap, Spliterators and Collectors of one's own. */
import java.util.*;
import java.util.function.Consumer;
import java.util.stream.*;

public class CustomCollections {
    static class Squares extends AbstractList<Integer> implements RandomAccess {
        final int size;

        Squares(int size) {
            this.size = size;
        }

        @Override
        public Integer get(int i) {
            Objects.checkIndex(i, size);
            return i * i;
        }

        @Override
        public int size() {
            return size;
        }
    }

    static class Digits extends AbstractMap<String, Integer> {
        @Override
        public Set<Entry<String, Integer>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, Integer>> iterator() {
                    return IntStream.range(0, 5).<Entry<String, Integer>>mapToObj(
                        i -> Map.entry("d" + i, i)).iterator();
                }

                @Override
                public int size() {
                    return 5;
                }
            };
        }
    }

    static class Chunks implements Spliterator<String> {
        final String s;
        int at;

        Chunks(String s) {
            this.s = s;
        }

        @Override
        public boolean tryAdvance(Consumer<? super String> c) {
            if (at >= s.length()) {
                return false;
            }
            int to = Math.min(at + 3, s.length());
            c.accept(s.substring(at, to));
            at = to;
            return true;
        }

        @Override
        public Spliterator<String> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return Long.MAX_VALUE;
        }

        @Override
        public int characteristics() {
            return ORDERED | NONNULL;
        }
    }

    public static void main(String[] args) {
        List<Integer> sq = new Squares(10);
        System.out.println(sq + " " + sq.contains(49) + " " + sq.subList(2, 5) + " "
            + sq.stream().mapToInt(x -> x).sum() + " " + sq.indexOf(81) + " " + sq.hashCode()
            + " " + sq.equals(new ArrayList<>(sq)));
        try {
            sq.add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("fixed");
        }
        Map<String, Integer> d = new Digits();
        System.out.println(d + " " + d.get("d3") + " " + d.containsKey("x") + " " + d.keySet()
            + d.values() + d.hashCode());
        System.out.println(StreamSupport.stream(new Chunks("abcdefgh"), false)
            .map(String::toUpperCase).toList());
        Collector<Integer, int[], String> range = Collector.of(
            () -> new int[] { Integer.MAX_VALUE, Integer.MIN_VALUE },
            (a, x) -> {
                a[0] = Math.min(a[0], x);
                a[1] = Math.max(a[1], x);
            },
            (a, b) -> new int[] { Math.min(a[0], b[0]), Math.max(a[1], b[1]) },
            a -> a[0] + ".." + a[1]);
        System.out.println(Stream.of(5, 3, 9, 1).collect(range) + " "
            + IntStream.range(0, 1000).parallel().boxed().collect(range));
        Collection<String> checked = Collections.checkedList(new ArrayList<>(), String.class);
        try {
            @SuppressWarnings({ "unchecked", "rawtypes" })
            boolean b = ((Collection) checked).add(1);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Collections.synchronizedMap(new TreeMap<>(Map.of("a", 1))) + " "
            + Collections.emptyMap() + Collections.singleton(1) + Collections.newSetFromMap(
                new TreeMap<String, Boolean>()));
        Enumeration<Integer> e = Collections.enumeration(List.of(1, 2));
        System.out.println(Collections.list(e) + " " + Collections.disjoint(sq, List.of(2, 3)));
    }
}
