/* SPDX-License-Identifier: MIT */

/* Points of the Mandelbrot set: double locals in one tight loop. */
public class Mandelbrot {
    static int escape(double cr, double ci) {
        double r = 0, i = 0;
        for (int n = 0; n < 100; n++) {
            double r2 = r * r, i2 = i * i;
            if (r2 + i2 > 4.0) {
                return n;
            }
            i = 2 * r * i + ci;
            r = r2 - i2 + cr;
        }
        return 100;
    }

    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 1100;
        long sum = 0;
        int inside = 0;
        for (int y = 0; y < size; y++) {
            double ci = 2.0 * y / size - 1.0;
            for (int x = 0; x < size; x++) {
                int n = escape(3.0 * x / size - 2.0, ci);
                sum += n;
                if (n == 100) {
                    inside++;
                }
            }
        }
        System.out.println(inside + " inside, " + sum + " steps");
    }
}
