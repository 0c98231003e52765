// SPDX-License-Identifier: MIT

class Chain {
    static String text() {
        return "steps:.....";
    }

    static String same() {
        Retransform.running = Redefiner.frameMethod(0);
        Retransform.result = Redefiner.retransform(Chain.class);
        return Redefiner.frameMethod(0) == Retransform.running ? "same" : "other";
    }
}

class Late {
    static String text() {
        return "steps:.....";
    }
}

class Never {
    static String text() {
        return "steps:.....";
    }
}

/**
 * Environments 0 and 1 can retransform, 2 cannot, 3 wants it when its hook is on already.
 * Each puts its digit into a string that the class returns, or only looks on ('-').
 */
public class Retransform extends Redefiner {
    static long running;
    static int result;

    static void expect(String name, String text, String log) {
        same(name, "steps:" + text, Chain.text());
        same(name + "-hooks", log, hookLog());
    }

    static void chain() {
        hook("Chain");
        digit(2, '2');
        digit(1, '1');
        expect("load", "21...", "2ld 1ld ");
        same("retransform", 0, retransform(Chain.class));
        expect("again", "21...", "1rld ");
        digit(1, '9');
        same("retransform-9", 0, retransform(Chain.class));
        expect("initial-bytes", "29...", "1rld ");
        digit(0, '0');
        same("retransform-0", 0, retransform(Chain.class));
        expect("order-of-creation", "209..", "0rld 1rld ");
        digit(0, '-');
        digit(1, '-');
        same("retransform-none", 0, retransform(Chain.class));
        expect("incapable-kept", "2....", "0rld 1rld ");
        digit(2, '8');
        same("retransform-8", 0, retransform(Chain.class));
        expect("incapable-not-asked", "2....", "0rld 1rld ");
        same("unchanged", "same", Chain.same());
        check("unchanged-not-obsolete", result == 0 && !isObsolete(running));
        hookLog();
    }

    static void redefined() {
        same("redefine", 0, to("", Chain.class));
        expect("redefine-sends-to-all", "8....", "2rld 0rld 1rld ");
        digit(1, '1');
        same("redefine-1", 0, to("", Chain.class));
        expect("redefine-chain", "81...", "2rld 0rld 1rld ");
        digit(2, '-');
        same("redefine-2", 0, to("", Chain.class));
        expect("redefine-drops-incapable", "1....", "2rld 0rld 1rld ");
        same("retransform-redefined", 0, retransform(Chain.class));
        expect("redefinition-is-initial", "1....", "0rld 1rld ");
        digit(1, ' ');
        same("retransform-off", 0, retransform(Chain.class));
        expect("no-hook", ".....", "0rld ");
    }

    static void late() {
        hook("Late");
        digit(3, '3');
        same("late-capability", 98, addLateCapability());
        digit(1, '1');
        same("late-load", "steps:31...", Late.text());
        same("late-hooks", "2ld 3ld 0ld 1ld ", hookLog());
        same("late-retransform", 0, retransform(Late.class));
        same("late-not-asked", "0rld 1rld ", hookLog());
        same("late-kept", "steps:31...", Late.text());
    }

    /** What the hooks make decides. */
    static void errors() {
        hook("Never");
        digit(1, '-');
        digit(3, '-');
        Never.text();
        hookLog();
        digit(1, '1');
        same("two-classes", 0, retransform(Never.class, Chain.class));
        same("one-hooked", "0rld 1rld ", hookLog());
        same("of-two", "steps:1....", Never.text());
        same("with-array", 79, retransform(Never.class, int[].class));
        same("no-class", 0, retransform());
        hook(null);
        hookLog();
        for (int env = 0; env < 4; env++)
            digit(env, ' ');
        same("library", 0, retransform(Object.class, String.class, Thread.class,
                                       java.util.HashMap.class));
        same("library-works", "a1", "a" + Integer.valueOf(1));
    }

    static void run() {
        chain();
        redefined();
        late();
        errors();
    }
}
