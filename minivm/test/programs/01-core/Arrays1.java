/* SPDX-License-Identifier: MIT */
/* Every array type: default values, loads, stores, bounds, narrowing. */
public class Arrays1 {
    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = new byte[3];
        char[] c = new char[3];
        short[] s = new short[3];
        int[] i = new int[3];
        long[] j = new long[3];
        float[] f = new float[3];
        double[] d = new double[3];
        String[] a = new String[3];
        System.out.println(z[0]);
        System.out.println(b[0]);
        System.out.println((int) c[0]);
        System.out.println(s[0]);
        System.out.println(i[0]);
        System.out.println(j[0]);
        System.out.println(f[0]);
        System.out.println(d[0]);
        System.out.println(a[0]);
        z[1] = true;
        b[1] = (byte) 200;
        c[1] = (char) 70000;
        s[1] = (short) 40000;
        i[1] = 1 << 31;
        j[1] = 1L << 63;
        f[1] = 1.5f;
        d[1] = 2.5;
        a[1] = "one";
        System.out.println(z[1]);
        System.out.println(b[1]);
        System.out.println((int) c[1]);
        System.out.println(s[1]);
        System.out.println(i[1]);
        System.out.println(j[1]);
        System.out.println(f[1]);
        System.out.println(d[1]);
        System.out.println(a[1]);
        b[2] += 100;
        b[2] += 100;
        s[2]--;
        c[2]--;
        j[2] += i[1];
        d[2] -= 0.25;
        f[2]++;
        System.out.println(b[2]);
        System.out.println(s[2]);
        System.out.println((int) c[2]);
        System.out.println(j[2]);
        System.out.println(d[2]);
        System.out.println(f[2]);
        int[][] grid = new int[3][4];
        grid[1][2] = 7;
        int[][][] deep = new int[2][3][];
        int[][] ragged = { { 1 }, {}, { 2, 3 } };
        System.out.println(grid.length);
        System.out.println(grid[2].length);
        System.out.println(grid[1][2]);
        System.out.println(deep[1].length);
        System.out.println(deep[1][2] == null);
        System.out.println(ragged[2][1]);
        System.out.println(ragged.getClass().getName());
        System.out.println(new String[0][][].getClass().getName());
        int[] copy = i.clone();
        copy[0] = 5;
        System.out.println(i[0]);
        System.out.println(copy[0]);
        System.arraycopy(j, 1, j, 0, 2);
        System.out.println(j[0]);
        bounds(i, 3);
        bounds(i, -1);
        bounds(i, Integer.MIN_VALUE);
        try {
            Object[] objects = a;
            objects[0] = Integer.valueOf(1);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new int[copy[0] - 6].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new int[2][copy[0] - 8].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.arraycopy(i, 0, j, 0, 1);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.arraycopy(i, 2, i, 0, 2);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    static void bounds(int[] array, int index) {
        try {
            array[index]++;
            System.out.println("no exception");
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            array[index] = 1;
            System.out.println("no exception");
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
