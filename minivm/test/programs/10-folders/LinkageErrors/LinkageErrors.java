/* SPDX-License-Identifier: MIT */
/* Classes compiled again after their users: every incompatible change. */
public class LinkageErrors {
    interface Body {
        Object run() throws Throwable;
    }

    static void attempt(String what, Body b) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(what + ": " + b.run());
            } catch (Throwable t) {
                System.out.println(what + ": " + t.getClass().getSimpleName() + ": "
                                   + t.getMessage());
            }
        }
    }

    public static void main(String[] args) {
        attempt("abstract method", () -> ((Shape) new Circle()).area());
        attempt("removed method", () -> new Changing().removed());
        attempt("changed type", () -> new Changing().typed(1));
        attempt("method now static", () -> new Changing().toStatic());
        attempt("static no more", () -> Changing.toInstance());
        attempt("removed field", () -> new Changing().gone);
        attempt("field changed type", () -> new Changing().number);
        attempt("field now static", () -> new Changing().fieldToStatic);
        attempt("field static no more", () -> Changing.staticToField);
        attempt("now private", () -> new Changing().hidden());
        attempt("private field", () -> new Changing().hiddenField);
        attempt("field made final", () -> new Changing().made = 5);
        attempt("constructor gone", () -> new Changing("x"));
        attempt("class now interface", () -> new WasClass().hello());
        attempt("interface now class", () -> UsesInterface.run());
        attempt("now abstract", () -> new NowAbstract().toString());
        attempt("final superclass", () -> new ExtendsFinal().toString());
        attempt("final method", () -> new OverridesFinal().fin());
        attempt("superclass now interface", () -> new ExtendsInterface().toString());
        attempt("cycle", () -> new CycleA().toString());
        attempt("class gone", () -> UsesGone.make());
        attempt("moved up", () -> new Changing().movedUp());
        attempt("constant inlined", () -> Changing.CONSTANT);
        attempt("default conflict", () -> new Conflict().name());
        attempt("enum constant gone", () -> Planet.PLUTO);
        attempt("enum switch", () -> describe(Planet.valueOf("EARTH")));
        attempt("method of Object", () -> ((Copier) new Copy()).clone());
        attempt("hidden by an abstract one", () -> ((Base) new Leaf()).own(2, null));
        attempt("new default", () -> ((Shape) new Circle()).sides());
    }

    static class UsesInterface {
        static Object run() {
            WasInterface w = new ImplementsIt();
            return w.hello();
        }
    }

    static String describe(Planet p) {
        return switch (p) {
            case MARS -> "mars";
            case PLUTO -> "pluto";
            default -> "default " + p;
        };
    }
}
