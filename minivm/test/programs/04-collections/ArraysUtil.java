/* SPDX-License-Identifier: MIT */
/* java.util.Arrays: sorts of every type, searches, comparisons, parallel ones. */
import java.util.*;

public class ArraysUtil {
    public static void main(String[] args) {
        Random r = new Random(42);
        int[] ints = r.ints(5000, -1000, 1000).toArray();
        long[] longs = r.longs(300).toArray();
        double[] doubles = r.doubles(300).map(d -> d - 0.5).toArray();
        doubles[3] = Double.NaN;
        doubles[7] = -0.0;
        doubles[9] = 0.0;
        byte[] bytes = new byte[400];
        r.nextBytes(bytes);
        char[] chars = "the quick brown fox".toCharArray();
        short[] shorts = { 5, -3, 9, 0, Short.MIN_VALUE };
        float[] floats = { 1.5f, Float.NaN, -1f, -0f, 0f };
        String[] strings = new String[500];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = Integer.toString(r.nextInt(1000), 36);
        }
        Arrays.sort(ints);
        Arrays.sort(longs);
        Arrays.sort(doubles);
        Arrays.sort(bytes);
        Arrays.sort(chars);
        Arrays.sort(shorts);
        Arrays.sort(floats);
        Arrays.sort(strings, 10, 490);
        System.out.println(Arrays.hashCode(ints) + " " + Arrays.hashCode(longs) + " "
            + Arrays.hashCode(doubles) + " " + Arrays.hashCode(bytes) + " "
            + new String(chars).trim() + " " + Arrays.toString(shorts) + " "
            + Arrays.toString(floats) + " " + Arrays.hashCode(strings));
        System.out.println(Arrays.binarySearch(ints, ints[100]) >= 0);
        System.out.println(Arrays.binarySearch(strings, 10, 490, "zzzz"));
        int[] big = r.ints(50000).toArray(), copy = big.clone();
        Arrays.parallelSort(big);
        Arrays.sort(copy);
        System.out.println(Arrays.equals(big, copy) + " " + Arrays.mismatch(big, copy));
        Arrays.parallelPrefix(copy, Integer::sum);
        System.out.println(copy[copy.length - 1]);
        int[][] grid = new int[3][2];
        Arrays.setAll(grid, i -> new int[] { i, i * i });
        System.out.println(Arrays.deepToString(grid) + " " + Arrays.deepHashCode(grid) + " "
            + Arrays.deepEquals(grid, new int[][] { { 0, 0 }, { 1, 1 }, { 2, 4 } }));
        Object[] loop = new Object[1];
        loop[0] = loop;
        System.out.println(Arrays.deepToString(loop));
        System.out.println(Arrays.compare(new int[] { 1, 2 }, new int[] { 1, 3 }) + " "
            + Arrays.compareUnsigned(new byte[] { -1 }, new byte[] { 1 }));
        System.out.println(Arrays.toString(Arrays.copyOfRange(chars, 3, 8)).length() + " "
            + Arrays.copyOf(new String[] { "a" }, 3).length);
        Integer[] boxed = { 3, 1, 2 };
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(Arrays.asList(boxed));
        try {
            Arrays.sort(new Object[] { 1, "x" });
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.copyOfRange(ints, 5, 4);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Integer[] chaos = new Integer[200];
        for (int i = 0; i < chaos.length; i++) {
            chaos[i] = i * 7919 % 200;
        }
        Arrays.sort(chaos, (a, b) -> a % 10 == b % 10 ? 0 : a % 10 - b % 10);
        System.out.println(Arrays.hashCode(chaos));
        System.out.println(Arrays.stream(ints).sum() + " " + Arrays.asList(strings).hashCode());
        Arrays.fill(ints, 2, 5, 9);
        System.out.println(ints[1] + " " + ints[4] + " " + ints[5]);
    }
}
