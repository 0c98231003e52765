/* SPDX-License-Identifier: MIT */
/* String.format and Formatter: conversions, flags, widths, errors. */
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;

public class FormatText {
    static void f(String format, Object... args) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("%d %5d %-5d| %05d %+d %,d %(d %x %X %o %#x", 1, 2, 3, 4, 5, 1234567, -8, 255, 255, 8,
          255);
        f("%d %x %d", Long.MIN_VALUE, (byte) -1, (short) -5);
        f("%f %.2f %10.3f %-10.1f| %+.0f %e %.3E %g %a", 1.5, 2.345, 3.14159, 4.04, 5.5,
          12345.678, 0.00012345, 0.0001, 1.0);
        f("%f %f %f %s", Double.NaN, Double.POSITIVE_INFINITY, -0.0, Double.MAX_VALUE);
        f("%,.2f %(,.2f %08.2f % d", 1234567.891, -1234.5, -3.14159, 42);
        f("%s %10s %-10s| %.3s %S %c %C %b %B %h", "str", "right", "left", "truncate", "up",
          'c', 'd', true, null, "hash");
        f("%2$s %1$s %<s %s", "a", "b");
        f("%% %n".trim() + "%c", 0x1f600);
        f("%s %s", new int[0].length, Arrays.asList(1, 2));
        f("%d %,d %x", new BigInteger("123456789012345678901234567890"),
          new BigInteger("-98765432109876543210"), new BigInteger("255"));
        f("%.3f %10.1f %e", new BigDecimal("1.23456"), new BigDecimal("-99.95"),
          new BigDecimal("12345.6789"));
        f("%b %b %b", "x", null, false);
        f("%-8b|%8b|%.2b", true, false, true);
        Calendar c = new GregorianCalendar(2020, Calendar.FEBRUARY, 29, 13, 5, 9);
        c.setTimeZone(TimeZone.getTimeZone("UTC"));
        f("%tY-%<tm-%<td %<tH:%<tM:%<tS %<tB %<tA %<tj %<tp", c);
        f("%d", "text");
        f("%q", 1);
        f("%s %s", "one");
        f("%-d", 5);
        f("%5", 1);
        f("%.2d", 1);
        f("%c", 0x110000);
        f("%+s", "x");
        f("%s", new Formattable() {
            @Override
            public void formatTo(Formatter f, int flags, int width, int precision) {
                f.format("formattable %d %d %d", flags, width, precision);
            }
        });
        Formatter formatter = new Formatter(new StringBuilder("pre:"), Locale.GERMANY);
        System.out.println(formatter.format("%,.2f", 1234567.891).toString());
        System.out.println(String.format(Locale.US, "%,d", 9876543210L));
        System.out.printf(Locale.ROOT, "%s=%d%n", "x", 1);
        f("%.15g %.1f %.0e %.20f", Math.PI, 0.25, 12345.0, 0.1);
        f("%.1f %.1f %.1f %.2f", 0.15, 0.25, 0.35, 1.005);
    }
}
