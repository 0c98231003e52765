// SPDX-License-Identifier: MIT

/** A program with linkage errors of its own, which no agent has caused. */
public class Errors {
    static class Broken {
        static int value = Integer.parseInt("no number");
    }

    static class Unlinked {
        static native void nowhere();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Broken.value);
            } catch (LinkageError e) {
                System.out.println(e.getClass().getName());
            }
        }
        try {
            Unlinked.nowhere();
        } catch (LinkageError e) {
            System.out.println(e.getClass().getName());
        }
        try {
            throw new NoSuchMethodError("Errors$Broken.gone()V");
        } catch (LinkageError e) {
            System.out.println(e.getClass().getName());
        }
        /* Another class is refused, which Errors and Broken are only named by. */
        try {
            throw new VerifyError("Bad type on operand stack\nException Details:\n"
                + "  Location:\n    Other.run(LErrors$Broken;)V @1: areturn\n"
                + "  Reason:\n    Type 'Errors$Broken' is not assignable to 'Errors'\n");
        } catch (LinkageError e) {
            System.out.println(e.getClass().getName());
        }
    }
}
