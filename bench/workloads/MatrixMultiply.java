/* SPDX-License-Identifier: MIT */

/* Square matrices of doubles, arrays of arrays. */
public class MatrixMultiply {
    static double[][] fill(int n, int seed) {
        double[][] m = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                m[i][j] = (i * 31 + j * seed) % 17 / 4.0;
            }
        }
        return m;
    }

    static double[][] multiply(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i][k] * b[k][j];
                }
                c[i][j] = sum;
            }
        }
        return c;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 370;
        double[][] c = multiply(fill(n, 7), fill(n, 3));
        double trace = 0;
        for (int i = 0; i < n; i++) {
            trace += c[i][i];
        }
        System.out.println("trace " + trace);
    }
}
