# SPDX-License-Identifier: MIT
# Lab 7: classes, counts and the length of the chain differ by seed.

inputs()
{
    new_name p; package=$r
    for variable in A B C garbage leaked kept inner late; do
        new_name K; eval "$variable=\$r"; keep "c_$variable" "$r"
    done
    between 3 20; n_a=$r
    between 3 20; n_b=$r
    between 5 15; n_leak=$r
    between 2 9; n_late=$r
    between 2 9; n_more=$r
    between 1 4; chain=$r
    links=
    i=0
    while [ $((i += 1)) -le "$chain" ]; do
        new_name L; links="$links $r"
    done
    random 10000; number=$r
    mkdir -p "$package/deeper"
    echo "package $package.deeper; public class $inner { }" >"$package/deeper/$inner.java"
    for class in $A $B $garbage $leaked $kept $late; do
        echo "package $package; class $class { }" >"$package/$class.java"
    done
    # Each link has the next one, in a field, an array or a list; the last the kept object.
    next=$kept
    reversed=$(for link in $links; do echo "$link"; done | tac)
    for link in $reversed; do
        random 3
        case $r in
        0) field="Object next = new $next();" ;;
        1) field="Object[] next = { null, new $next() };" ;;
        *) field="java.util.List<Object> next = new java.util.ArrayList<>(
        java.util.Collections.nCopies(1, new $next()));" ;;
        esac
        echo "package $package; class $link { $field }" >"$package/$link.java"
        next=$link
    done
    cat >"$package/Main.java" <<END
package $package;

import java.util.ArrayList;
import java.util.List;

public class Main {
    static Object start;
    static final List<Object> all = new ArrayList<>();
    /** What is in the list, too: one object more than once. */
    static final List<Object> again = new ArrayList<>();
    static final Object[][] arrays = { new $A[2], new $A[3] };

    static void look() throws InterruptedException {
        Thread thread = new Thread("look");
        thread.start();
        thread.join();
    }

    static void waste() {
        for (int i = 0; i < 50; i++)
            new $garbage().hashCode();
    }

    static void byLocal() throws InterruptedException {
        Object local = new $next();
        look();
        local.hashCode();
    }

    /** The way goes through a static field of the class library only. */
    static void bySystem() throws InterruptedException {
        System.getProperties().put("kept", new $next());
        look();
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0) {
            if (args[0].equals("local"))
                byLocal();
            else
                bySystem();
            return;
        }
        for (int i = 0; i < $n_a; i++)
            all.add(new $A());
        for (int i = 0; i < $n_b; i++)
            all.add(new $B());
        again.addAll(all);
        all.add(new $leaked());
        all.add(new $leaked());
        all.add(new $package.deeper.$inner());
        waste();
        start = new $next();
        look();
        for (int i = 0; i < $n_leak; i++)
            all.add(new $leaked());
        all.removeIf(o -> o instanceof $B);
        again.removeIf(o -> o instanceof $B);
        for (int i = 0; i < $n_late; i++)
            all.add(new $late());
        all.add(new $B());
        all.add((Runnable) () -> { });
        waste();
        look();
        // More than in the report before, if not than in the first.
        for (int i = 0; i < $n_more; i++)
            all.add(new $leaked());
        all.add(new $B());
        look();
        System.out.println("ended $number");
    }
}
END
    keep package "$package" && keep links "$links" && keep last "ended $number"
    keep live_one "$(printf '%s\n' "$n_a $A" "$n_b $B" "2 $leaked" "1 $kept" \
        $(for link in $links; do echo "1-$link"; done) | tr - ' ' | LC_ALL=C sort -k2)"
    keep live_two "$(printf '%s\n' "$n_a $A" "1 $B" "$((n_leak + 2)) $leaked" "1 $kept" \
        "$n_late $late" \
        $(for link in $links; do echo "1-$link"; done) | tr - ' ' | LC_ALL=C sort -k2)"
    keep grown "$(printf '%s\n' "grew $leaked +$n_leak" "grew $late +$n_late" | LC_ALL=C sort)"
    keep grown_then "$(printf '%s\n' "grew $leaked +$n_more" "grew $B +1" | LC_ALL=C sort)"
}

# The lines of the N-th report.
report() # N
{
    awk -v n="$1" '/^look / { at++ } at == n' "$box/out"
}

judge()
{
    run "package=$package,path=$c_kept" "$package.Main"
    criterion load
    works 'the program does its work' "$last"
    mine="$c_A|$c_B|$c_leaked|$c_kept|$c_late|$(say $links | tr ' ' '|')"
    criterion live
    same 'the first report' "$live_one" \
        "$(report 1 | sed -nE "s/^live ([0-9]+ ($mine))\$/\1/p")"
    same 'the second' "$live_two" \
        "$(report 2 | sed -nE "s/^live ([0-9]+ ($mine))\$/\1/p")"
    lacks 'no class of a package inside of it' "^live [0-9]+ .*$c_inner" \
        "live 1 deeper.$c_inner"
    lacks 'no hidden class' '^live [0-9]+ .*Lambda' 'live 1 Main$$Lambda...'
    criterion unreach
    lacks 'no garbage' "^live [0-9]+ $c_garbage\$" \
        "live 50 $c_garbage"
    matches 'but what is alive' "^live [0-9]+ $c_kept\$" "live 1 $c_kept"
    criterion grown
    same 'what has grown' "$grown" \
        "$(report 2 | grep -E "^grew ($mine|$c_garbage) ")"
    same 'what has grown since then' "$grown_then" \
        "$(report 3 | grep -E "^grew ($mine|$c_garbage) ")"
    same 'nothing in the first report' '' "$(report 1 | grep '^grew ')"
    criterion path
    same 'the classes on the way' "$(say $links $c_kept)" \
        "$(report 1 | sed -n 's/^path [a-z]* //p')"
    criterion root
    same 'from a static field' 'path static' \
        "$(report 2 | sed -n 's/^\(path [a-z]*\) .*/\1/p')"
    run "path=$c_kept,package=$package" "$package.Main" local
    same 'from a local variable' 'path local' \
        "$(report 1 | sed -n 's/^\(path [a-z]*\) .*/\1/p')"
    run "path=$c_kept,package=$package" "$package.Main" system
    same 'from a static field of the class library' 'path other' \
        "$(report 1 | sed -n 's/^\(path [a-z]*\) .*/\1/p')"
    run_checked "package=$package,path=$c_kept" "$package.Main"
    criterion rules
    keeps_rules 'below tiforge check' "$c_kept|$c_A" "live 1 $c_kept"
}
