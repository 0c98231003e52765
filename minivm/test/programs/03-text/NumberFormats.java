/* SPDX-License-Identifier: MIT */
/* DecimalFormat, NumberFormat, CompactNumberFormat, ChoiceFormat, parsing. */
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.*;
import java.util.Locale;

public class NumberFormats {
    public static void main(String[] args) throws ParseException {
        DecimalFormatSymbols us = DecimalFormatSymbols.getInstance(Locale.US);
        String[] patterns = { "0", "#,##0.00", "000.###", "0.###E0", "#%", "00.00;(00.00)",
                              "'#'#", "#,##,###.0#", "\u00a4#,##0.00" };
        double[] values = { 0, 1, -1.5, 1234.5678, 0.005, 1e10, -0.0, Double.NaN,
                            Double.NEGATIVE_INFINITY, 2.5, 3.5 };
        for (String p : patterns) {
            DecimalFormat f = new DecimalFormat(p, us);
            StringBuilder line = new StringBuilder(p + " ->");
            for (double v : values) {
                line.append(' ').append(f.format(v));
            }
            System.out.println(line);
            System.out.println(f.toPattern());
        }
        DecimalFormat f = new DecimalFormat("#,##0.##", us);
        for (RoundingMode m : RoundingMode.values()) {
            if (m != RoundingMode.UNNECESSARY) {
                f.setRoundingMode(m);
                System.out.println(m + " " + f.format(2.345) + " " + f.format(-2.345) + " "
                                   + f.format(2.5555));
            }
        }
        System.out.println(f.parse("1,234.5x") + " " + f.parse("-7"));
        f.setParseBigDecimal(true);
        System.out.println(f.parse("12345678901234567890.123") instanceof BigDecimal);
        try {
            f.parse("abc");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        System.out.println(NumberFormat.getInstance(Locale.GERMANY).format(1234567.891));
        System.out.println(NumberFormat.getIntegerInstance(Locale.US).format(2.5));
        System.out.println(NumberFormat.getPercentInstance(Locale.US).format(0.256));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.US).format(-1234.5));
        System.out.println(NumberFormat.getCompactNumberInstance(Locale.US,
            NumberFormat.Style.SHORT).format(1234567));
        ChoiceFormat c = new ChoiceFormat("0#none|1#one|1<many");
        System.out.println(c.format(0) + c.format(1) + c.format(7) + " " + c.toPattern());
        ParsePosition at = new ParsePosition(2);
        System.out.println(NumberFormat.getInstance(Locale.US).parse("ab12.5cd", at) + " "
                           + at.getIndex());
        FieldPosition field = new FieldPosition(NumberFormat.Field.FRACTION);
        f.format(1234.5, new StringBuffer(), field);
        System.out.println(field.getBeginIndex() + " " + field.getEndIndex());
        System.out.println(f.equals(f.clone()));
    }
}
