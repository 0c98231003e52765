# SPDX-License-Identifier: MIT
# Lab 11: the program differs by seed; what has to come out is what the lab's own agent
# says in the VM of the kit, which the tests of that VM compare with HotSpot.

inputs()
{
    new_name Q; class=$r
    new_name m; recursion=$r
    new_name m; lines=$r
    between 3 9; depth=$r
    between 1 5; gap=$r
    cat >Look.java <<'END'
public class Look extends RuntimeException {
}
END
    echo 'public class LookOld extends RuntimeException { }' >LookOld.java
    # Two versions of a class; the second one is a file that the lab's agent reads.
    mkdir -p "$inputs/without" "$inputs/second"
    for version in 1 2; do
        cat >"Old.java" <<END
public class Old {
    static int calls() {
        return looks() + 1;
    }

    static int looks() {
        try {
            throw new LookOld();
        } catch (LookOld e) {
            return $version;
        }
    }
}
END
        [ $version = 1 ] && cp Old.java ../Old.1
    done
    "$(find_javac 11)" -g --release 11 -Xlint:-options -d "$inputs/second" \
        Old.java LookOld.java || return 1
    mkdir -p "$inputs/classes" && cp "$inputs/second/Old.class" "$inputs/classes/Old.2" &&
        mv ../Old.1 Old.java || return 1
    cat >"$inputs/without/Without.java" <<'END'
public class Without {
    static int f(int x) {
        return x + 1;
    }
}
END
    "$(find_javac 11)" -g:none --release 11 -Xlint:-options -d "$inputs/classes" \
        "$inputs/without/Without.java" || return 1
    cat >"$class.java" <<END
public abstract class $class {
    static int n;
$(i=0; while [ $((i += 1)) -le "$gap" ]; do echo; done)
    static native void nothing();

    abstract void missing();

    static void $recursion(int left) {
        if (left > 0)
            $recursion(left - 1);
        else
            throw new Look();
    }

    static int $lines(int a) {
        for (int i = 0; i < a; i++) {
            n += i;
            if (n % 3 == 0) n--; else
                n++;
        }
        return n;
    }

    static synchronized void deep(int left) {
        try {
            if (left > 0)
                deep(left - 1);
            else
                $class.class.wait();
        } catch (InterruptedException e) {
            n++;
        }
    }

    static volatile int turns;

$(for side in left right; do
    for n in 1 2 3 4 5; do
        cat <<EOF2
    static void $side$n() {
        for (int i = 0; i < 20; i++)
            turns += i;
$([ $n = 5 ] || echo "        $side$((n + 1))();")
        for (int i = 0; i < 20; i++)
            turns += i;
    }

EOF2
    done
done)

    static void runs() {
        while (true) {
            left1();
            right1();
        }
    }

    static Thread daemon(Runnable body, String name) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        try {
            $recursion($depth);
        } catch (Look e) {
            n = $lines($depth);
        }
        n += Old.calls();
        Thread waits = daemon(() -> deep($gap), "waits");
        while (waits.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        daemon($class::runs, "runs");
        while (turns == 0)
            Thread.sleep(1);
        Thread thread = new Thread(() -> { }, "look");
        thread.start();
        thread.join();
        System.out.println("ended " + $depth);
    }
}
END
    keep class "$class" && keep last "ended $depth"
    keep methods "$recursion|$lines|main"
    build_probe
}

# What the same run says in the VM of the kit.
expect_from_kit()
{
    run_with_probe_in_kit "$class"
    cp "$box/out" "$box/wanted"
}

run_with_probe_in_kit()
{
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$1,$box/seen/classes" "$1"
}

# Are the lines of these kinds the same as in the VM of the kit, and some?  The message
# has the first line that differs.
as_in_kit() # NAME PATTERN
{
    grep -aE -e "$2" "$box/wanted" >"$box/kit-lines"
    lines "$2" >"$box/own-lines"
    cmp -s "$box/kit-lines" "$box/own-lines" && [ -s "$box/kit-lines" ]
    as_status=$?
    line=$(awk -v other="$box/own-lines" '
        { came = (getline text < other) > 0 ? text : "" }
        came != $0 { print NR; exit }' "$box/kit-lines")
    line=${line:-$(($(wc -l <"$box/kit-lines") + 1))}
    record $as_status "$1" "line $line of $(wc -l <"$box/kit-lines" | tr -d ' '): \
$(sed -n "${line}p" "$box/kit-lines")" \
        "$(sed -n "${line}p" "$box/own-lines" | grep . || say 'no such line')$([ "$ended" = \
            "exit 0" ] || say " ($(how_ended))")"
}

judge()
{
    expect_from_kit
    run_in_student_vm "$class,$box/seen/classes" "$class"
    criterion load
    works 'a program runs' "$last"
    criterion table
    as_in_kit 'the rows' "^row ($methods) "
    criterion absent
    as_in_kit 'natives' '^method nothing '
    as_in_kit 'abstract ones' '^method missing '
    as_in_kit 'a class without line numbers' '^method f '
    criterion memory
    same 'when there is no memory for the rows' 'short JVMTI_ERROR_OUT_OF_MEMORY' \
        "$(lines '^short ')"
    criterion trace
    as_in_kit 'the stack of the thread itself' '^trace '
    criterion version
    as_in_kit 'the stack after a redefinition' '^version '
    criterion running
    same 'a thread that runs stands still while its stack is walked' \
        'running 30 of 30 whole' "$(lines '^running ')"
    criterion other
    as_in_kit 'the stack of another one' '^other '
    criterion part
    as_in_kit 'from the second frame' '^from-one '
    as_in_kit 'the last two' '^last-two '
    as_in_kit 'three only' '^three '
    as_in_kit 'a start beyond the last' '^beyond '
    as_in_kit 'a start before the first' '^before '
    criterion kit
    kit_finds_nothing 'GetLineNumberTable' 'GetLineNumberTable.*'
    kit_finds_nothing 'GetStackTrace' 'GetStackTrace.*'
}
