/* SPDX-License-Identifier: MIT */
// vm: -ea:Asserts... -da:Asserts$Off
/* Assertions switched on and off per class. */
public class Asserts {
    static class Off {
        static String check() {
            assert false : "never";
            return "off";
        }
    }

    static class On {
        static String check(int n) {
            assert n > 0;
            assert n > 1 : n;
            assert n > 2 : "n is " + n;
            return "on";
        }
    }

    public static void main(String[] args) {
        System.out.println(Off.check());
        for (int i = 0; i < 4; i++) {
            try {
                System.out.println(On.check(i));
            } catch (AssertionError e) {
                System.out.println(e + " " + e.getMessage());
            }
        }
        System.out.println(Off.class.desiredAssertionStatus());
        System.out.println(On.class.desiredAssertionStatus());
        System.out.println(String.class.desiredAssertionStatus());
    }
}
