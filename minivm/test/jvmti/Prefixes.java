// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs: order-by-hook prefixes are applied in the order of creation (Set Native Method Prefix)
// departs: intermediate-absent a prefix goes whose wrapper does not exist (Set Native Method Prefix)
// departs: register-two-prefixes prefixes are tried in the order of creation (Set Native Method Prefix)
// departs: registered-two-prefixes prefixes are tried in the order of creation (Set Native Method Prefix)

/**
 * Methods as they would stand after wrapping.  The agent has three environments: one,
 * which can retransform, with prefix $r_, two with $a_ and $b_, three with none.  Hooks
 * would have run in the order two, one.
 */
public class Prefixes {
    /* Bound to Java_Prefixes_plain: no prefix takes part. */
    static native int plain();

    static int simple() { return $a_simple(); }
    static native int $a_simple();

    /* The implementation under its own name comes first. */
    static int own() { return $a_own(); }
    static native int $a_own();

    /* Two layers of one environment. */
    static int layers() { return $a_layers(); }
    static int $a_layers() { return $b_$a_layers(); }
    static native int $b_$a_layers();

    /* Only the second layer. */
    static int second() { return $b_second(); }
    static native int $b_second();

    /* Not in the order in which they are applied. */
    static int order() { return 0; }
    static int $b_order() { return 0; }
    static native int $a_$b_order();

    /* Layers of both environments: the one that can retransform comes last. */
    static int hooked() { return $a_hooked(); }
    static int $a_hooked() { return $r_$a_hooked(); }
    static native int $r_$a_hooked();

    /* Nothing is wrapped: the name just begins so. */
    static native int $a_alone();
    /* What it would wrap is native itself. */
    static native int both();
    static native int $a_both();
    /* Another signature is another method. */
    static int signature(int x) { return $a_signature(1L); }
    static native int $a_signature(long x);
    /* The wrapper in between is missing: $b_ was not applied. */
    static int gap() { return 0; }
    static native int $b_$a_gap();

    /* Arguments are part of the long name. */
    static int overloaded(int x) { return $a_overloaded(x); }
    static native int $a_overloaded(int x);
    static int overloaded(String s) { return $a_overloaded(s); }
    static native int $a_overloaded(String s);

    /* RegisterNatives with the plain name. */
    static int registered() { return $a_registered(); }
    static native int $a_registered();
    static int registered2() { return $a_registered2(); }
    static int $a_registered2() { return $b_$a_registered2(); }
    static native int $b_$a_registered2();
    static native int redirected();
    static native int rebound();

    /* Registered with a class that inherits it. */
    static native int inherited();

    static class Heir extends Prefixes {
    }

    static native int register(String name);
    static native int registerIn(Class<?> c, String name);
    static native void unregister();
    static native void cancel(int which);
    static native int bound(String name);

    interface Call {
        int run();
    }

    static void check(String name, Call call, int expected) {
        int actual;
        try {
            actual = call.run();
        } catch (UnsatisfiedLinkError | NoSuchMethodError e) {
            actual = -1;
        }
        System.out.println((actual == expected ? "ok " : "not ok ") + name
                           + (actual == expected ? "" : ": " + actual));
    }

    public static void main(String[] args) {
        check("plain", Prefixes::plain, 1);
        check("simple", Prefixes::simple, 2);
        check("own", Prefixes::own, 4);
        check("layers", Prefixes::layers, 5);
        check("second", Prefixes::second, 6);
        check("order", Prefixes::$a_$b_order, -1);
        check("order-by-hook", Prefixes::hooked, 8);
        check("alone", Prefixes::$a_alone, -1);
        check("both", Prefixes::$a_both, -1);
        check("both-wrapped", Prefixes::both, 10);
        check("signature", () -> signature(1), -1);
        check("intermediate-absent", Prefixes::$b_$a_gap, -1);
        check("overloaded-int", () -> overloaded(1), 13);
        check("overloaded-string", () -> overloaded("x"), 14);

        check("register", () -> register("registered"), 0);
        check("registered", Prefixes::registered, 100);
        check("register-2", () -> register("registered2"), 0);
        check("registered-2", Prefixes::registered2, 100);
        check("register-absent", () -> register("absent"), -1);
        check("register-java", () -> register("main"), -1);

        check("register-without-wrapper", () -> register("alone"), -1);
        check("registered-without-wrapper", Prefixes::$a_alone, -1);
        check("register-native-first", () -> register("both"), 0);
        check("register-not-prefixed", Prefixes::$a_both, -1);
        check("register-other-signature", () -> register("signature"), -1);
        check("register-two-prefixes", () -> register("hooked"), 0);
        check("registered-two-prefixes", Prefixes::hooked, 100);
        check("register-unused-prefix-first", () -> register("second"), 0);
        check("registered-unused-prefix-first", Prefixes::second, 100);
        check("register-inherited", () -> registerIn(Heir.class, "inherited"), 0);
        check("registered-inherited", Prefixes::inherited, 100);

        check("bind-events-plain", () -> bound("plain"), 1);
        check("bind-events-registered", () -> bound("$a_registered"), 1);
        check("bind-events-unbound", () -> bound("rebound"), 0);
        check("bind-events-simple", () -> bound("$a_simple"), 1);
        check("redirected", Prefixes::redirected, 1015);
        check("redirected-again", Prefixes::redirected, 1015);
        check("bind-events-redirected", () -> bound("redirected"), 1);
        check("rebound", Prefixes::rebound, 16);
        check("register-rebound", () -> register("rebound"), 0);
        check("rebound-registered", Prefixes::rebound, 100);
        check("bind-events-rebound", () -> bound("rebound"), 2);
        check("register-redirected", () -> register("redirected"), 0);
        check("redirected-registered", Prefixes::redirected, 1015);
        unregister();
        check("unbound-no-event", () -> bound("rebound"), 2);
        check("unbound", Prefixes::rebound, 16);
        check("bind-events-unbound-again", () -> bound("rebound"), 3);
        /* The other prefixes are still set. */
        cancel(1);
        check("cancelled", Prefixes::simple, 2);
        check("cancelled-unbound", Prefixes::second, 6);
        cancel(2);
        check("cancelled-all", Prefixes::simple, -1);
        check("cancelled-all-plain", Prefixes::plain, 1);
    }
}
