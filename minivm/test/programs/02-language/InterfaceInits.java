/* SPDX-License-Identifier: MIT */
/* Interfaces with default methods are initialized before the classes that have them, in
   the order of JLS 12.4.2, and a failure stays, whatever stands in between. */
public class InterfaceInits {
    static int say(String name) {
        System.out.println("initializes " + name);
        return name.length();
    }

    interface Plain {
        int PLAIN = say("Plain");
        void plain();
    }

    interface Low extends Plain {
        int LOW = say("Low");
        default void low() { }
    }

    interface Left extends Low {
        int LEFT = say("Left");
        void left();
    }

    interface Right extends Low {
        int RIGHT = say("Right");
        default void right() { }
    }

    static class Both implements Left, Right {
        static final int BOTH = say("Both");
        @Override
        public void plain() { }
        @Override
        public void left() { }
    }

    interface Bad {
        int BAD = fail(Middle.MIDDLE);
        default void bad() { }
    }

    interface Middle extends Bad {
        int MIDDLE = say("Middle");
        default void middle() { }
    }

    static int fail(int value) {
        throw new IllegalStateException("in Bad, after Middle " + value);
    }

    static class First implements Middle {
    }

    static class Second implements Middle {
    }

    static void attempt(Runnable r) {
        try {
            r.run();
        } catch (LinkageError e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        attempt(Both::new);
        attempt(First::new);
        attempt(First::new);
        attempt(Second::new);
        System.out.println(Middle.MIDDLE);
    }
}
