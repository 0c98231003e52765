# SPDX-License-Identifier: MIT
# Lab 8: names and counts differ by seed; javac puts a loop's test at its head and a goto
# at its end, or for do loops the test at the end.

inputs()
{
    new_name p; package=$r
    new_name Q; class=$r
    new_name E; empty=$r
    new_name S; sub=$r
    new_name F; face=$r
    new_name B; bridged=$r
    for variable in calls whole loop twice chain head nothing fails other default; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    between 11 40; n_calls=$r
    between 5 9; n_loop=$r
    between 3 6; n_do=$r
    between 2 5; n_new=$r
    between 2 9; n_chain=$r
    between 2 9; n_empty=$r
    cat >Count.java <<END
import java.util.Map;
import java.util.TreeMap;

public class Count {
    private static final Map<String, Integer> counts = new TreeMap<>();

    public static synchronized void hit(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    static void show() {
        counts.forEach((what, n) -> System.out.println("hit " + n + " " + what));
    }
}
END
    cat >Main.java <<END
public class Main {
    public static void main(String[] args) {
        for (int i = 0; i < $n_calls; i++)
            $package.$class.$calls(i, 1.5, "a");
        for (int i = 0; i < $n_new; i++)
            new $package.$class(i).$whole();
        $package.$class.$loop($n_loop);
        $package.$class.$twice($n_do);
        $package.$class.$chain($n_chain);
        $package.$class.$head();
        $package.$bridged one = new $package.$bridged();
        for (int i = 0; i < $n_loop; i++)
            one.$default();
        for (int i = 0; i < $n_do; i++)
            java.util.Collections.max(java.util.Arrays.asList(one, one));
        for (int i = -2; i < $n_new; i++)
            try {
                new $package.$sub(i);
            } catch (IllegalArgumentException e) {
            }
        // Where these do not verify the rest of the program goes on.
        try {
            for (int i = 0; i < $n_empty && args.length == 0; i++)
                $package.$empty.$nothing();
        } catch (LinkageError e) {
            System.err.println(e);
        }
        $package.inner.Other.$other();
        try {
            $package.$class.$fails(0);
        } catch (ArithmeticException e) {
            System.out.println("line " + e.getStackTrace()[0].getLineNumber());
        }
        System.out.println("caught " + $package.$class.$fails(1));
        Count.show();
        System.out.println("ended " + $package.$class.sum);
    }
}
END
    mkdir -p "$package/inner"
    # An interface with code, and a class to which the compiler adds a method that calls
    # compareTo($bridged).
    cat >"$package/$face.java" <<END
package $package;

public interface $face {
    default int $default() {
        return 0;
    }
}
END
    cat >"$package/$bridged.java" <<END
package $package;

public class $bridged implements $face, Comparable<$bridged> {
    public int compareTo($bridged other) {
        return 0;
    }
}
END
    cat >"$package/$class.java" <<END
package $package;

public class $class {
    public static long sum = System.nanoTime() > 0 ? 1 : 2;
    static int left = $n_do;
    final int n;

    public $class(int n) {
        this.n = n < 0 ? -n : n;
    }

    public static void $calls(int i, double d, String s) {
        sum += d > 1 ? 1 : s.length() + i;
    }

    public void $whole() {
        sum += n;
    }

    public static void $loop(int times) {
        long before = sum;
        for (int i = 0; i < times; i++) {
            double d = i;
            Object o = i % 2 == 0 ? "even" : (Object) d;
            sum += o.hashCode() == before ? 1 : 0;
        }
    }

    public static void $twice(int times) {
        int i = 0;
        String s = "";
        do {
            s += i;
        } while (++i < times);
        sum += s.length();
    }

    public static void $chain(int length) {
        Object[] at = null;
        for (int i = 1; i < length; i++)
            at = new Object[] { at };
        Object[] next = new Object[] { at };
        do {
            next = (Object[]) next[0];
        } while (next != null);
    }

    /** The first instruction is what the loop goes back to. */
    public static void $head() {
        while (left > 0)
            left--;
    }

    public static int $fails(int how) {
        try {
            if (how == 0)
                return 1 / how; // DIVIDE
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            return 7;
        }
    }
}
END
    echo "package $package; public class $empty { public static void $nothing() { } }" \
        >"$package/$empty.java"
    # The constructor of the class behind the call of the other one is not reached for
    # negative numbers.
    cat >"$package/$sub.java" <<END
package $package;

public class $sub extends $class {
    public $sub(int n) {
        super(check(n));
    }

    static int check(int n) {
        if (n < 0)
            throw new IllegalArgumentException();
        return n;
    }
}
END
    cat >"$package/inner/Other.java" <<END
package $package.inner;

public class Other {
    public static void $other() {
        $package.$class.sum++;
    }
}
END
    keep package "$package" && keep class "$class"
    keep line "$(line_of "$package/$class.java" DIVIDE)"
    keep n_calls "$n_calls" && keep n_loop "$n_loop" && keep n_do "$n_do"
    keep n_new "$n_new" && keep n_chain "$n_chain" && keep n_empty "$n_empty"
    keep sub "$sub" && keep empty "$empty" && keep face "$face" && keep bridged "$bridged"
    # One at first, the calls, the sum of what the objects have, the do loop's digits,
    # the other class.
    keep last "ended $((1 + n_calls + n_new * (n_new - 1) / 2 + n_do + 1))"
}

judge()
{
    run "package=$package" Main
    criterion load
    works 'the program does its work' "$last"
    criterion entry
    has 'a static method' "hit $n_calls $class.$m_calls"
    has 'an instance method' "hit $n_new $class.$m_whole"
    has 'one with a loop, once' "hit 1 $class.$m_loop"
    has 'one that begins with what its loop goes back to, once' "hit 1 $class.$m_head"
    has 'one whose max_stack is 0' "hit $n_empty $empty.$m_nothing"
    has 'one of an interface' "hit $n_loop $face.$m_default"
    has 'one that is called by one that the compiler has added' \
        "hit $((2 * n_do)) $bridged.compareTo"
    criterion back
    has 'a for loop' "hit $n_loop $class.$m_loop loop"
    has 'a do loop' "hit $n_do $class.$m_twice loop"
    # The first loop makes one array fewer than there are, the second visits all.
    has 'a loop that ends with ifnonnull, and one before it' \
        "hit $((n_chain - 1 + n_chain)) $class.$m_chain loop"
    has 'a loop at the beginning of a method' "hit $n_do $class.$m_head loop"
    lacks 'no loop where there is none' "^hit [0-9]+ $class\\.($m_calls|$m_fails) loop" \
        "hit 1 $class.$m_calls loop"
    criterion init
    has 'a constructor' "hit $((2 * n_new)) $class.<init>"
    has 'one that is left by an exception before the other is called' \
        "hit $n_new $sub.<init>"
    has 'a class initializer' "hit 1 $class.<clinit>"
    criterion others
    lacks 'not in another package' "^hit [0-9]+ .*(Other|Main|$m_other)" \
        "hit 1 inner/Other.$m_other"
    matches 'but in this one' "^hit [0-9]+ .*$class" "hit $n_calls $class.$m_calls"
    criterion lines
    has 'the line of a stack trace' "line $line"
    has 'an exception that is caught' 'caught 7'
    matches 'in a class that was changed' "^hit [0-9]+ .*$class" \
        "hit $n_calls $class.$m_calls"

    run_traced SetEventNotificationMode "package=$package" Main
    criterion quiet
    same 'no other events' '' "$(calls_of SetEventNotificationMode |
        grep -aiE 'method_?(entry|exit)|step|breakpoint')"
    matches 'and it counts' "^hit [0-9]+ .*$class" "hit $n_calls $class.$m_calls"
    # Without the class that costs points of entry when it does not verify.
    run_checked "package=$package" Main plain
    criterion rules
    keeps_rules 'below tiforge check' "$class" "hit $n_calls $class.$m_calls"
}
