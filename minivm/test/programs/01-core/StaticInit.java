/* SPDX-License-Identifier: MIT */
/* Order of class initialisation (JVMS 5.5) and failures in it. */
public class StaticInit {
    static void say(String s) {
        System.out.println(s);
    }

    static class Parent {
        static {
            say("Parent");
        }

        static int value = 1;

        Parent() {
            say("new Parent");
        }
    }

    static class Child extends Parent {
        static final int CONSTANT = 7;
        static final String TEXT = "constant text";
        static final Integer BOXED = 9;

        static {
            say("Child");
        }

        int field = init("field");

        {
            say("block");
        }

        Child() {
            say("new Child");
        }

        static int init(String s) {
            say(s);
            return 1;
        }
    }

    interface Quiet {
        int X = touch("Quiet");
    }

    interface Loud {
        int Y = touch("Loud");

        default void m() {
        }
    }

    static class Both implements Quiet, Loud {
        static {
            say("Both");
        }
    }

    static int touch(String s) {
        say(s);
        return 3;
    }

    static class Cycle1 {
        static int a = Cycle2.b + 1;
    }

    static class Cycle2 {
        static int b = Cycle1.a + 10;
    }

    static class Broken {
        static int x = 1 / zero();

        static int zero() {
            return 0;
        }
    }

    static class ThrowsError {
        static {
            if (true) {
                throw new StackOverflowError("made up");
            }
        }

        static void m() {
        }
    }

    public static void main(String[] args) {
        say("main");
        say(Integer.toString(Child.CONSTANT));
        say(Child.TEXT);
        Child[] none = new Child[2];
        say("array made");
        say(Integer.toString(Child.value));
        say("then boxed");
        say(Child.BOXED.toString());
        new Child();
        new Child();
        new Both();
        say(Integer.toString(Both.X));
        say(Integer.toString(Cycle1.a));
        say(Integer.toString(Cycle2.b));
        for (int i = 0; i < 2; i++) {
            try {
                say(Integer.toString(Broken.x));
            } catch (ExceptionInInitializerError e) {
                say(e.getCause().toString());
            } catch (NoClassDefFoundError e) {
                say(e.getMessage());
            }
        }
        for (int i = 0; i < 2; i++) {
            try {
                ThrowsError.m();
            } catch (StackOverflowError e) {
                say(e.getMessage());
            } catch (NoClassDefFoundError e) {
                say(e.getMessage());
            }
        }
    }
}
