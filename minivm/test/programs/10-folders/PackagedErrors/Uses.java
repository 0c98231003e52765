/* SPDX-License-Identifier: MIT */
package parts;

/* Compiled with members that the classes of later/ do not have. */
public class Uses {
    static class Hides implements Abstracting {
    }

    static class HidesBelow extends Hides implements Other {
    }

    static class Both implements Defaulting, Other {
    }

    static class BothBelow extends Both {
        String above() {
            return super.m(null, null);
        }
    }

    interface Defaulting {
        default String m(int[] x, Uses y) {
            return "default";
        }
    }

    static void attempt(String what, Runnable run) {
        try {
            run.run();
            System.out.println(what + ": done");
        } catch (LinkageError e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void run() {
        attempt("made abstract", () -> ((Defaulting) new Hides()).m(null, null));
        attempt("made abstract above", () -> ((Defaulting) new HidesBelow()).m(null, null));
        attempt("made abstract, by the class", () -> new Hides().m(null, null));
        attempt("two defaults, by the class", () -> new Both().m(null, null));
        attempt("two defaults, by an heir", () -> new BothBelow().m(null, null));
        attempt("two defaults, by super", () -> new BothBelow().above());
        attempt("a default method", () -> ((Other) new Both()).n());
        attempt("made static", () -> new Plain().work());
        attempt("made abstract in a class", () -> new Heir().work());
        attempt("a field", () -> System.out.println(new Changed().count));
        attempt("a field of a class", () -> System.out.println(new Changed().uses));
        attempt("a static field", () -> System.out.println(Changed.array));
        attempt("a method", () -> new Changed().act(null, 1));
        attempt("a static method", () -> Changed.make());
        attempt("a constructor", () -> new Changed(1));
    }
}
