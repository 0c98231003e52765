/* SPDX-License-Identifier: MIT */
/* equals, hashCode, toString, getClass, clone, instanceof patterns. */
public class ObjectBasics {
    static class Point implements Cloneable {
        int x, y;
        int[] data = { 1 };

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Point p && p.x == x && p.y == y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }

        @Override
        public Point clone() throws CloneNotSupportedException {
            return (Point) super.clone();
        }
    }

    static class NoClone {
        void tryClone() {
            try {
                clone();
            } catch (CloneNotSupportedException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Point p = new Point(1, 2);
        Point q = p.clone();
        System.out.println(p.equals(q));
        System.out.println(p == q);
        System.out.println(p.data == q.data);
        System.out.println(p.hashCode());
        System.out.println(p);
        new NoClone().tryClone();
        Object plain = new Object();
        int h = plain.hashCode();
        System.gc();
        System.out.println(h == plain.hashCode());
        System.out.println(h == System.identityHashCode(plain));
        System.out.println(System.identityHashCode(null));
        System.out.println(plain.toString().startsWith("java.lang.Object@"));
        System.out.println(int.class);
        System.out.println(int[].class);
        System.out.println(String[][].class);
        System.out.println(Runnable.class);
        System.out.println(void.class.getName());
        System.out.println(p.getClass() == Point.class);
        System.out.println(p.getClass().getSuperclass());
        System.out.println(new int[0].getClass().getSuperclass());
        System.out.println(int[].class.getComponentType());
        Object[] shapes = { 1, "two", 3L, 'c', new int[] { 4 }, null, new Point(5, 6) };
        for (Object o : shapes) {
            String s;
            if (o instanceof Integer i && i > 0) {
                s = "int " + i;
            } else if (o instanceof String t) {
                s = "text " + t.length();
            } else if (!(o instanceof Number n)) {
                s = "no number";
            } else {
                s = "number " + n.intValue();
            }
            System.out.println(s);
        }
    }
}
