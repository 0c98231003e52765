/* SPDX-License-Identifier: MIT */
/* Many doubles and floats to text and back. */
import java.util.Random;

public class FloatStrings {
    public static void main(String[] args) {
        Random r = new Random(2024);
        long hash = 0;
        int bad = 0;
        for (int i = 0; i < 20000; i++) {
            double d = Double.longBitsToDouble(r.nextLong());
            String s = Double.toString(d);
            hash = hash * 31 + s.hashCode();
            if (Double.parseDouble(s) != d && d == d) {
                bad++;
            }
            float f = Float.intBitsToFloat(r.nextInt());
            s = Float.toString(f);
            hash = hash * 31 + s.hashCode();
            if (Float.parseFloat(s) != f && f == f) {
                bad++;
            }
            hash = hash * 31 + Double.hashCode(Math.round(d * 100) / 100.0);
        }
        System.out.println(hash + " " + bad);
        for (int i = -330; i < 312; i += 13) {
            System.out.print(Double.parseDouble("1.5e" + i) + " ");
        }
        System.out.println();
        System.out.println(Double.toHexString(0.1) + " " + Float.toHexString(-1e-40f) + " "
            + Double.toHexString(Double.MIN_VALUE));
        String[] texts = { "0x1.8p-3", " 1.5 ", "1d", "1f", "NaN", "-Infinity", ".5", "5.", "1e400",
            "4.9e-325", "2.2250738585072012e-308", "9007199254740993", "1e", "", "0x", "--1" };
        for (String t : texts) {
            try {
                System.out.println(Double.parseDouble(t) + " " + Float.parseFloat(t));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
