/* SPDX-License-Identifier: MIT */

/* Spectral norm of an infinite matrix: double arithmetic, small calls. */
public class SpectralNorm {
    static double a(int i, int j) {
        return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
    }

    static void multiply(double[] v, double[] result) {
        for (int i = 0; i < v.length; i++) {
            double sum = 0;
            for (int j = 0; j < v.length; j++) {
                sum += a(i, j) * v[j];
            }
            result[i] = sum;
        }
    }

    static void multiplyTransposed(double[] v, double[] result) {
        for (int i = 0; i < v.length; i++) {
            double sum = 0;
            for (int j = 0; j < v.length; j++) {
                sum += a(j, i) * v[j];
            }
            result[i] = sum;
        }
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 700;
        double[] u = new double[n], v = new double[n], t = new double[n];
        java.util.Arrays.fill(u, 1);
        for (int i = 0; i < 10; i++) {
            multiply(u, t);
            multiplyTransposed(t, v);
            multiply(v, t);
            multiplyTransposed(t, u);
        }
        double vbv = 0, vv = 0;
        for (int i = 0; i < n; i++) {
            vbv += u[i] * v[i];
            vv += v[i] * v[i];
        }
        System.out.println(Math.sqrt(vbv / vv));
    }
}
