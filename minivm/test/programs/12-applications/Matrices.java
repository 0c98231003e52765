/* SPDX-License-Identifier: MIT */
/* Linear algebra, FFT and numerics; results printed exactly. */
import java.util.*;

public class Matrices {
    static double[] solve(double[][] a, double[] b) {
        int n = b.length;
        for (int c = 0; c < n; c++) {
            int p = c;
            for (int r = c + 1; r < n; r++) {
                if (Math.abs(a[r][c]) > Math.abs(a[p][c])) {
                    p = r;
                }
            }
            double[] t = a[c];
            a[c] = a[p];
            a[p] = t;
            double x = b[c];
            b[c] = b[p];
            b[p] = x;
            for (int r = c + 1; r < n; r++) {
                double f = a[r][c] / a[c][c];
                for (int k = c; k < n; k++) {
                    a[r][k] -= f * a[c][k];
                }
                b[r] -= f * b[c];
            }
        }
        for (int r = n - 1; r >= 0; r--) {
            for (int k = r + 1; k < n; k++) {
                b[r] -= a[r][k] * b[k];
            }
            b[r] /= a[r][r];
        }
        return b;
    }

    static void fft(double[] re, double[] im, boolean inverse) {
        int n = re.length;
        for (int i = 1, j = 0; i < n; i++) {
            int bit = n >> 1;
            for (; (j & bit) != 0; bit >>= 1) {
                j ^= bit;
            }
            j ^= bit;
            if (i < j) {
                double t = re[i];
                re[i] = re[j];
                re[j] = t;
                t = im[i];
                im[i] = im[j];
                im[j] = t;
            }
        }
        for (int len = 2; len <= n; len <<= 1) {
            double ang = 2 * Math.PI / len * (inverse ? -1 : 1);
            double wr = StrictMath.cos(ang), wi = StrictMath.sin(ang);
            for (int i = 0; i < n; i += len) {
                double cr = 1, ci = 0;
                for (int k = 0; k < len / 2; k++) {
                    int u = i + k, v = u + len / 2;
                    double xr = re[v] * cr - im[v] * ci, xi = re[v] * ci + im[v] * cr;
                    re[v] = re[u] - xr;
                    im[v] = im[u] - xi;
                    re[u] += xr;
                    im[u] += xi;
                    double t = cr * wr - ci * wi;
                    ci = cr * wi + ci * wr;
                    cr = t;
                }
            }
        }
        if (inverse) {
            for (int i = 0; i < n; i++) {
                re[i] /= n;
                im[i] /= n;
            }
        }
    }

    public static void main(String[] args) {
        Random r = new Random(10);
        int n = 20;
        double[][] a = new double[n][n];
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = r.nextDouble() - 0.5;
            }
            b[i] = i;
        }
        for (double x : solve(a, b)) {
            System.out.println(x);
        }
        double[] re = new double[256], im = new double[256];
        for (int i = 0; i < 256; i++) {
            re[i] = StrictMath.sin(i * 0.3) + i % 7;
        }
        fft(re, im, false);
        System.out.println(re[0] + " " + im[5] + " " + re[12]);
        fft(re, im, true);
        System.out.println(re[10] + " " + Math.abs(im[10]) / 1e-10);
        float f = 1;
        for (int i = 0; i < 50; i++) {
            f = f * 1.1f - 0.05f / (i + 1);
        }
        System.out.println(f);
        double x = 2;
        for (int i = 0; i < 6; i++) {
            x -= (x * x * x - 2) / (3 * x * x);
            System.out.println(x);
        }
        double h = 0, sum = 0;
        for (int i = 1; i < 100_000; i++) {
            h += 1.0 / i;
            sum += StrictMath.log1p(1.0 / i);
        }
        System.out.println(h + " " + sum);
        System.out.println(StrictMath.sin(1e22) + " " + StrictMath.pow(2, 0.5) + " "
            + StrictMath.expm1(1e-10) + " " + StrictMath.sinh(2) + " " + StrictMath.asin(0.3));
    }
}
