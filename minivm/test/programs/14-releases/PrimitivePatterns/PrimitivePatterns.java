// SPDX-License-Identifier: MIT
// since: 25
// until: 25
// vm: --enable-preview
import java.util.List;

/** Primitive types in patterns, instanceof and switch: exact conversions only. */
public class PrimitivePatterns {
    record Measure(double value, Object unit) { }
    record Json(Object value) { }

    static String narrow(long n) {
        return switch (n) {
            case byte b -> "byte " + b;
            case short s -> "short " + s;
            case int i -> "int " + i;
            case long l -> "long " + l;
        };
    }

    static String of(Object o) {
        return switch (o) {
            case int i when i > 100 -> "large int " + i;
            case int i -> "int " + i;
            case long l -> "long " + l;
            case float f -> "float " + f;
            case double d -> "double " + d;
            case boolean b -> "boolean " + b;
            case Json(int i) -> "json int " + i;
            case Json(double d) -> "json number " + d;
            case Json(String s) -> "json text " + s;
            default -> o.getClass().getSimpleName();
        };
    }

    static String grade(float mark) {
        return switch (mark) {
            case 0f -> "nothing";
            case 1.5f -> "exactly one and a half";
            case float f when Float.isNaN(f) -> "no mark";
            case float f when f < 0 -> "negative";
            case float f -> f >= 4 ? "passed" : "failed";
        };
    }

    static String truth(boolean b) {
        return switch (b) {
            case true -> "yes";
            case false -> "no";
        };
    }

    static String wide(long n) {
        return switch (n) {
            case 1L -> "one";
            case 10_000_000_000L -> "ten milliards";
            case long l when l % 2 == 0 -> "even";
            case long _ -> "odd";
        };
    }

    public static void main(String[] args) {
        for (long n : new long[] { 5, -129, 40000, 1L << 33 })
            System.out.println(narrow(n));
        for (Object o : new Object[] { 7, 700, 5L, 2.5, 2.5f, 'x', true, (short) 3, new Json(1.5), new Json(4), new Json("t"), new Json(List.of()) })
            System.out.println(of(o));
        for (float f : new float[] { 0f, -0f, 1.5f, Float.NaN, -3f, 4f, 3.9f })
            System.out.print(grade(f) + "; ");
        System.out.println(truth(true) + truth(false) + " " + wide(1) + " " + wide(10_000_000_000L) + " " + wide(4) + " " + wide(-3));
        int i = 16_777_217;
        long big = 1L << 53;
        System.out.println((i instanceof float) + " " + (16_777_216 instanceof float) + " " + (i instanceof double) + " "
            + (big instanceof double) + " " + (big + 1 instanceof double) + " " + (300 instanceof byte) + " " + (65 instanceof char));
        double d = 3.0;
        if (d instanceof int whole)
            System.out.println("whole " + whole);
        if (!(3.5 instanceof int n))
            System.out.println("a fraction");
        System.out.println((-0.0 instanceof int) + " " + (Double.NaN instanceof float) + " " + (1e300 instanceof float));
        if (new Measure(2.0, "m") instanceof Measure(int v, String u))
            System.out.println(v + u);
        System.out.println(new Measure(2.5, "m") instanceof Measure(int v, var u));
    }
}
