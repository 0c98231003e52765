/* SPDX-License-Identifier: MIT */
/* ArrayList, LinkedList, List.of, subList, sort, fail-fast iterators. */
import java.util.*;

public class Lists {
    static void exercise(List<Integer> list) {
        for (int i = 0; i < 20; i++) {
            list.add(i * 7 % 20);
        }
        list.add(3, 100);
        list.remove(Integer.valueOf(14));
        list.remove(0);
        list.addAll(5, List.of(-1, -2, -3));
        list.set(0, 55);
        System.out.println(list + " " + list.indexOf(100) + " " + list.lastIndexOf(-3)
                           + " " + list.contains(99) + " " + list.hashCode());
        List<Integer> sub = list.subList(2, 8);
        sub.sort(Comparator.reverseOrder());
        sub.remove(1);
        System.out.println(sub + " " + list.size());
        sub.clear();
        list.replaceAll(x -> x * 2);
        list.removeIf(x -> x % 3 == 0);
        System.out.println(list);
        ListIterator<Integer> it = list.listIterator(list.size());
        while (it.hasPrevious()) {
            int x = it.previous();
            if (x > 20) {
                it.set(x / 2);
            } else if (x == 8) {
                it.remove();
            } else if (x == 4) {
                it.add(44);
                it.previous();
            }
        }
        System.out.println(list);
        try {
            for (Integer x : list) {
                list.add(x);
            }
        } catch (ConcurrentModificationException e) {
            System.out.println("modified " + e.getMessage());
        }
        try {
            list.get(1000);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        list.retainAll(Set.of(10, 16, 2, 44));
        System.out.println(list + " " + list.equals(new ArrayList<>(list)));
        System.out.println(Arrays.toString(list.toArray(new Integer[0])));
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>());
        List<String> fixed = Arrays.asList("c", "a", "b");
        fixed.sort(null);
        System.out.println(fixed);
        List<List<String>> immutable = List.of(List.of(), List.copyOf(fixed),
            Collections.unmodifiableList(fixed), Collections.nCopies(2, "n"), fixed);
        for (List<String> l : immutable) {
            try {
                l.add("x");
                System.out.println("added");
            } catch (UnsupportedOperationException e) {
                System.out.println("immutable " + l);
            }
        }
        try {
            List.of(1, null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        List<Integer> n = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
        Collections.rotate(n, 2);
        Collections.swap(n, 0, 5);
        Collections.shuffle(n, new Random(5));
        System.out.println(n + " " + Collections.max(n) + " " + Collections.frequency(n, 3));
        Collections.sort(n);
        System.out.println(Collections.binarySearch(n, 4) + " " + Collections.binarySearch(n, 9)
                           + " " + Collections.indexOfSubList(n, List.of(3, 4)));
        Deque<Integer> d = new LinkedList<>();
        d.push(1);
        d.offerLast(2);
        d.addFirst(0);
        System.out.println(d + " " + d.pollLast() + d.peekFirst() + d.pop());
    }
}
