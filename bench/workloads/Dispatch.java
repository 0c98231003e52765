/* SPDX-License-Identifier: MIT */

/* Virtual and interface calls whose receivers change all the time. */
public class Dispatch {
    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    abstract static class Base implements Shape {
        int calls;

        abstract int weight();
    }

    static final class Square extends Base {
        final int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        public int area() {
            return side * side;
        }

        @Override
        int weight() {
            calls++;
            return side;
        }
    }

    static final class Rectangle extends Base {
        final int width, height;

        Rectangle(int width, int height) {
            this.width = width;
            this.height = height;
        }

        @Override
        public int area() {
            return width * height;
        }

        @Override
        int weight() {
            return width + height;
        }
    }

    static final class Point extends Base {
        @Override
        public int area() {
            return 0;
        }

        @Override
        public int twice() {
            return 1;
        }

        @Override
        int weight() {
            return calls = 1;
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 900_000;
        Base[] shapes = new Base[15];
        Shape[] seen = new Shape[15];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = i % 3 == 0 ? new Square(i)
                      : i % 3 == 1 ? new Rectangle(i, 2) : new Point();
            seen[i] = shapes[shapes.length > i + 1 ? i : 0];
        }
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < shapes.length; i += 2) {
                sum += shapes[i].weight();
                sum += seen[i].area();
                sum += seen[i].twice();
            }
        }
        System.out.println(sum);
    }
}
