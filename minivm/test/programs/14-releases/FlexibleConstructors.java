// SPDX-License-Identifier: MIT
// since: 25
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Statements before super(...) and this(...): checks, shared arguments, early fields. */
public class FlexibleConstructors {
    static final List<String> log = new ArrayList<>();

    static class Shape {
        final String label;

        Shape(String label) {
            log.add("Shape " + label + " area " + area());
            this.label = label;
        }

        double area() {
            return -1;
        }
    }

    static class Circle extends Shape {
        final double radius;
        final double[] cached;

        Circle(double radius) {
            if (radius <= 0)
                throw new IllegalArgumentException("radius " + radius);
            double[] both = { radius, radius * radius };
            this.radius = radius;
            this.cached = both;
            String name;
            if (radius > 10)
                name = "large circle";
            else
                name = "circle";
            super(name);
            log.add("Circle " + label);
        }

        Circle(String text) {
            log.add("parse " + text);
            double value;
            try {
                value = Double.parseDouble(text.strip());
            } catch (NumberFormatException e) {
                log.add("not a number");
                value = 1;
            }
            this(value);
        }

        @Override
        double area() {
            // Set before super(...), so that Shape's constructor sees it.
            return cached == null ? Double.NaN : cached[1];
        }
    }

    class Inner extends Circle {
        final int number;

        Inner(int number) {
            Objects.checkIndex(number, limit);
            this.number = number;
            int scaled = number * limit;
            super(scaled + 1);
            log.add("Inner " + this.number + " of " + limit);
        }
    }

    final int limit;

    FlexibleConstructors(int limit) {
        this.limit = limit;
    }

    enum Level {
        LOW(1), HIGH(9);

        final int weight;

        Level(int n) {
            int squared = n * n;
            this(squared, true);
        }

        Level(int weight, boolean ignored) {
            this.weight = weight;
        }
    }

    record Range(int low, int high) {
        Range(int only) {
            int low = Math.min(only, 0), high = Math.max(only, 0);
            this(low, high);
        }
    }

    static void attempt(Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            log.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt(() -> new Circle(2));
        attempt(() -> new Circle(-2));
        attempt(() -> new Circle(" 12 "));
        attempt(() -> new Circle("twelve"));
        FlexibleConstructors outer = new FlexibleConstructors(4);
        attempt(() -> outer.new Inner(3));
        attempt(() -> outer.new Inner(4));
        attempt(() -> new Circle(5) {
            @Override
            double area() {
                return super.area() + radius;
            }
        });
        log.forEach(System.out::println);
        System.out.println(Level.LOW.weight + " " + Level.HIGH.weight + " " + new Range(-3) + new Range(4));
    }
}
