/* SPDX-License-Identifier: MIT */
/* Math and StrictMath: exact results that every platform shares. */
public class MathMethods {
    public static void main(String[] args) {
        double[] values = { 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e10, 4503599627370497.5,
                            Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE };
        for (double v : values) {
            System.out.println(Math.floor(v));
            System.out.println(Math.ceil(v));
            System.out.println(Math.rint(v));
            System.out.println(Math.round(v));
            System.out.println(Math.sqrt(v));
            System.out.println(Math.abs(v));
            System.out.println(Math.signum(v));
            System.out.println(Math.ulp(v));
            System.out.println(StrictMath.cbrt(v));
            System.out.println(StrictMath.sin(v));
            System.out.println(StrictMath.exp(v));
            System.out.println(StrictMath.log(v));
            System.out.println(StrictMath.atan2(v, 2));
            System.out.println(StrictMath.pow(v, 3));
            System.out.println(StrictMath.tanh(v));
        }
        System.out.println(Math.max(-0.0, 0.0));
        System.out.println(Math.min(-0.0f, 0.0f));
        System.out.println(Math.max(Double.NaN, 1));
        System.out.println(Math.abs(Integer.MIN_VALUE));
        System.out.println(Math.floorDiv(-7, 2));
        System.out.println(Math.floorMod(-7, 2));
        System.out.println(Math.multiplyHigh(1L << 62, 12));
        System.out.println(Math.fma(0.1, 10, -1));
        System.out.println(Math.fma(0.1f, 10f, -1f));
        System.out.println(Math.scalb(1.5, 10));
        System.out.println(Math.getExponent(1e-310));
        System.out.println(Math.nextUp(1.0));
        System.out.println(Math.copySign(3, -0.0));
        System.out.println(Math.IEEEremainder(5, 3));
        System.out.println(Math.hypot(3, 4));
        System.out.println(Math.toIntExact(5L));
        try {
            Math.addExact(Integer.MAX_VALUE, 1);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            Math.multiplyExact(Long.MAX_VALUE, 2L);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            Math.negateExact(Integer.MIN_VALUE);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Float.floatToRawIntBits(Float.intBitsToFloat(0x7fc00001)));
        System.out.println(Double.doubleToLongBits(Double.longBitsToDouble(-1L)));
    }
}
