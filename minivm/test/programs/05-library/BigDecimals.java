/* SPDX-License-Identifier: MIT */
/* BigDecimal: scales, rounding modes, division, string forms. */
import java.math.*;

public class BigDecimals {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("123.4567"), b = new BigDecimal("-0.0089");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " "
            + a.divide(b, 10, RoundingMode.HALF_EVEN) + " " + a.remainder(b) + " " + a.negate().pow(3)
            + " " + a.scale() + " " + a.precision() + " " + a.unscaledValue());
        for (RoundingMode m : RoundingMode.values()) {
            StringBuilder sb = new StringBuilder(m + ":");
            for (String s : new String[] { "5.5", "2.5", "1.6", "1.1", "1.0", "-1.1", "-2.5", "-5.5" }) {
                try {
                    sb.append(' ').append(new BigDecimal(s).setScale(0, m));
                } catch (ArithmeticException e) {
                    sb.append(" !").append(e.getMessage());
                }
            }
            System.out.println(sb);
        }
        System.out.println(new BigDecimal("1e10") + " " + new BigDecimal("1e10").toPlainString() + " "
            + new BigDecimal("123.4500").stripTrailingZeros() + " " + new BigDecimal("12345E-10")
            .toEngineeringString() + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1));
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " "
            + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " "
            + new BigDecimal("2.0").hashCode() + " " + new BigDecimal("2.00").hashCode());
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(3), MathContext.DECIMAL128) + " "
            + BigDecimal.TEN.sqrt(new MathContext(40)) + " " + a.round(new MathContext(3)) + " "
            + a.movePointLeft(5) + " " + a.scaleByPowerOfTen(7) + " " + a.toBigInteger() + " "
            + a.divideToIntegralValue(b) + " " + a.ulp() + " " + a.max(b).signum());
        System.out.println(a.doubleValue() + " " + a.intValue() + " " + new BigDecimal("1e400")
            .doubleValue() + " " + new BigDecimal("9007199254740993").doubleValue());
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 70; i++) {
            term = term.divide(BigDecimal.valueOf(i), 100, RoundingMode.DOWN);
            e = e.add(term);
        }
        System.out.println(e.setScale(90, RoundingMode.DOWN));
        try {
            new BigDecimal("1.2.3");
        } catch (NumberFormatException x) {
            System.out.println(x.getMessage());
        }
        try {
            a.intValueExact();
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(new BigDecimal(new char[] { '1', '.', '5' }) + " "
            + new BigDecimal(BigInteger.TEN, -3) + " " + MathContext.DECIMAL32);
    }
}
