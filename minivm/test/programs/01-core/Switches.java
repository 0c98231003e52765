/* SPDX-License-Identifier: MIT */
/* tableswitch, lookupswitch, switch on strings and enums, fall-through. */
public class Switches {
    enum Color { RED, GREEN, BLUE }

    static int dense(int n) {
        switch (n) {
        case -2:
            return 10;
        case -1:
            return 11;
        case 0:
            return 12;
        case 1:
            n += 5;
        case 2:
            return 13 + n;
        default:
            return -1;
        }
    }

    static int sparse(int n) {
        switch (n) {
        case Integer.MIN_VALUE:
            return 1;
        case -1000:
            return 2;
        case 0:
            return 3;
        case 99999:
            return 4;
        case Integer.MAX_VALUE:
            return 5;
        }
        return 6;
    }

    static String text(String s) {
        switch (s) {
        case "Aa":
            return "first";
        case "BB":
            return "same hash";
        case "":
            return "empty";
        default:
            return "other";
        }
    }

    static int color(Color c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> {
                int x = c.ordinal();
                yield x * 20;
            }
            case BLUE -> 300;
        };
    }

    public static void main(String[] args) {
        for (int i = -4; i < 5; i++) {
            System.out.println(dense(i));
        }
        int[] keys = { Integer.MIN_VALUE, -1001, -1000, -999, 0, 1, 99999, 100000,
                       Integer.MAX_VALUE, Integer.MAX_VALUE - 1 };
        for (int key : keys) {
            System.out.println(sparse(key));
        }
        System.out.println(dense(Integer.MAX_VALUE));
        System.out.println(dense(Integer.MIN_VALUE));
        System.out.println(text("Aa"));
        System.out.println(text("BB"));
        System.out.println(text(""));
        System.out.println(text("C#"));
        for (Color c : Color.values()) {
            System.out.println(color(c));
        }
        char grade = 'b';
        switch (grade) {
        case 'a', 'b', 'c' -> System.out.println("pass");
        default -> System.out.println("fail");
        }
        try {
            text(null);
        } catch (NullPointerException e) {
            System.out.println("null switch");
        }
    }
}
