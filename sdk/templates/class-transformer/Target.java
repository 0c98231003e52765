// SPDX-License-Identifier: @license@
// @copyright@
/** Calls methods so many times as stands beside them. */
public class Target {
    interface Shape {                   // stays as it is
        int corners();
    }

    static class Square implements Shape {
        final int side;

        Square(int side) {              // 3
            this.side = side > 0 ? side : 1;
        }

        @Override
        public int corners() {          // 3
            return 4;
        }
    }

    static int loop(int n) {            // 10
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i % 2 == 0 ? i : -i;
        return sum;
    }

    static synchronized int caught(String text) {   // 2
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        } finally {
            loop(1);
        }
    }

    static void never() {
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 8; i++)
            sum += loop(i);
        sum += caught("7") + caught("x");
        for (int i = 0; i < 3; i++)
            sum += new Square(i).corners();
        System.out.println("sum " + sum);
    }
}
