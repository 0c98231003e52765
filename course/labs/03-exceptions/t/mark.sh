# SPDX-License-Identifier: MIT
# Lab 3: names, lines and depths differ by seed.  Places are compared without their lines
# where the criterion is not about lines.

# So many empty lines, so that line numbers differ.
gap()
{
    between 1 9
    while [ $((r -= 1)) -ge 0 ]; do
        echo
    done
}

write_program()
{
    cat <<END
package $package;

public class $program {
    static int count;

    static void $middle(int left) {
$(gap)
        if (left > 0)
            $middle(left - 1); // AGAIN
        else
            $raiser.$thrower(true); // CALL
    }

    static void all(String mode) throws ClassNotFoundException {
        if (mode.equals("deep")) {
            try {
                $middle($deep); // DEEP
            } catch ($exception e) {
                count++;
            }
            return;
        }
        // A native method calls the class initializer.
        if (mode.equals("native")) {
            Class.forName("$package.$init");
            return;
        }
        try {
            $middle($recursion); // START
        } catch ($exception e) { // CATCH
            count++;
        }
        try {
            $raiser.$thrower(false);
        } catch (IllegalStateException e) {
            count++;
        }
        try {
            new $package.deeper.$other().fail();
        } catch (RuntimeException e) {
            count++;
        }
        try {
            throw new $second(); // SECOND
        } catch ($second e) { // CATCH2
            count++;
        }
    }

    public static void main(String[] args) throws Exception {
$(gap)
        all(args.length > 0 ? args[0] : ""); // MAIN
        if (args.length > 0)
            return;
        Thread thread = new Thread(() -> { throw new $second(); }); // THREAD
        thread.setUncaughtExceptionHandler((t, e) -> count++);
        thread.start();
        thread.join();
        System.out.println("count " + (count + $number));
    }
}
END
}

write_raiser()
{
    cat <<END
package $package;

class $raiser {
    static void $thrower(boolean own) {
$(gap)
        if (own)
            throw new $exception(); // THROW
        throw new IllegalStateException();
    }
}
END
}

inputs()
{
    new_name p; package=$r
    for variable in program raiser exception second other init; do
        new_name X; eval "$variable=\$r"; keep $variable "$r"
    done
    for variable in thrower middle; do
        new_name m; eval "$variable=\$r"; keep $variable "$r"
    done
    between 2 5; recursion=$r
    between 1100 1400; deep=$r
    between 11 40; keep some_frames "$r"
    random 10000; number=$r
    keep package "$package" && keep recursion "$recursion" && keep deep "$deep"
    keep last "count $((number + 5))"
    mkdir -p "$package/deeper"
    write_program >"$package/$program.java"
    write_raiser >"$package/$raiser.java"
    for class in $exception $second; do
        echo "package $package; public class $class extends RuntimeException { }" \
            >"$package/$class.java"
    done
    cat >"$package/$init.java" <<END
package $package;

class $init {
    static {
        try {
            throw new $second();
        } catch ($second e) {
            $program.count++;
        }
    }
}
END
    cat >"$package/deeper/$other.java" <<END
package $package.deeper;

public class $other {
    static class ${second}X extends RuntimeException { }

    public void fail() {
        throw new ${second}X();
    }
}
END
    keep line_THROW "$(line_of "$package/$raiser.java" THROW)"
    for mark in CALL AGAIN START CATCH SECOND CATCH2 MAIN THREAD; do
        keep "line_$mark" "$(grep -n "// $mark\$" "$package/$program.java" | sed 's/:.*//')"
    done
    order_lines rotate "$package/$program"
    order_lines rotate "$package/$raiser"
}

# The lines of the block of the first exception of a class.
block() # CLASS
{
    awk -v class="$1 " '
        /^throw / { is_it = !seen && index($0, class); seen = seen || is_it }
        is_it && (/^throw / || /^  /)' "$box/out"
}

# Places without their lines.
without_lines()
{
    sed 's/:-*[0-9]*$//'
}

line_only()
{
    sed 's/.*://'
}

judge()
{
    class=$package.$program
    run "package=$package" "$class"
    criterion load
    works 'the program does its work' "$last"
    criterion class
    same 'the classes of exceptions' \
        "$package.$exception $package.$second $package.$second" \
        "$(lines "^throw $package\\.[A-Za-z0-9]* " | sed 's/^throw \([^ ]*\).*/\1/' |
            tr '\n' ' ' | sed 's/ $//')"
    # By the ends of the names: how they begin is looked at above.
    others="^throw .*(IllegalStateException|${second}X) at "
    criterion filter
    lacks 'none of another package' "$others|^throw java\\." \
        "throw java.lang.IllegalStateException at $package.$raiser.$thrower:1"
    matches 'but those of the package' "^throw .*$package\\." \
        "throw $package.$exception at $package.$raiser.$thrower:$line_THROW"
    criterion place
    same 'the method of the first' "$package.$raiser.$thrower" \
        "$(lines "^throw .*$exception " | sed 's/.* at //' | without_lines)"
    same 'that of the second' "$class.all" \
        "$(lines "^throw .*$second " | head -n 1 | sed 's/.* at //' | without_lines)"
    criterion caught
    same 'where the first is caught' "  caught $class.all" \
        "$(block "$exception" | grep '^  caught' | without_lines)"
    same 'where the second is caught' "  caught $class.all" \
        "$(block "$second" | grep '^  caught' | without_lines)"
    same 'and the last, by nobody' "  caught nobody" "$(lines '^  caught ' | tail -n 1)"
    criterion stack
    frames="$package.$raiser.$thrower:$line_THROW
$class.$middle:$line_CALL
$(i=0; while [ $((i += 1)) -le "$recursion" ]; do echo "$class.$middle:$line_AGAIN"; done)
$class.all:$line_START
$class.main:$line_MAIN"
    came=$(block "$exception" | sed -n "s/^  frame \($package\..*\)/\1/p")
    same 'the frames of the first' "$(say "$frames" | without_lines)" \
        "$(say "$came" | without_lines)"
    # Numbers only: whose lines they are is looked at above.
    criterion lines
    same 'the line of the first' "$line_THROW" "$(lines "^throw .*$exception " | line_only)"
    same 'where it is caught' "$line_CATCH" \
        "$(block "$exception" | grep '^  caught' | line_only)"
    same 'where the second is caught' "$line_CATCH2" \
        "$(block "$second" | grep '^  caught' | line_only)"
    same 'those of the frames of the callers' "$(say "$frames" | tail -n +2 | uniq | line_only)" \
        "$(say "$came" | grep -E "\.($middle|all|main):" | uniq | line_only)"

    run "package=$package" "$class" deep
    criterion stack
    same "all frames of a deep stack, without a limit" $((deep + 4)) \
        "$(block "$exception" | grep -c '^  frame ')"
    run "depth=$some_frames,package=$package" "$class" deep
    criterion depth
    same "$some_frames frames" "$some_frames" "$(block "$exception" | grep -c '^  frame ')"
    run "package=$package" "$class" native
    criterion stack
    same 'a native frame' '  frame java.lang.Class.forName0' \
        "$(block "$second" | grep 'forName0' | without_lines)"
    criterion lines
    same 'the line of a native frame' -1 "$(block "$second" | grep 'forName0' | line_only)"

    run "depth=2,package=$package" "$class"
    criterion depth
    same 'two frames' 2 "$(block "$exception" | grep -c '^  frame ')"
    run "package=$package,depth=$((recursion + 3))" "$class"
    same "$((recursion + 3)) frames" $((recursion + 3)) "$(block "$exception" | grep -c '^  frame ')"
    run '' "$class"
    criterion filter
    matches 'without options those of other packages, too' \
        '^throw .*IllegalStateException at ' \
        "throw java.lang.IllegalStateException at $package.$raiser.$thrower:1"

    run_checked "package=$package" "$class"
    criterion rules
    keeps_rules 'below tiforge check' "$exception|$second|$thrower" \
        "throw $package.$exception at $package.$raiser.$thrower:$line_THROW"
}
