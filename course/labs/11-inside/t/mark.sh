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
    mkdir -p "$inputs/without"
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
public class $class {
    static int n;
$(i=0; while [ $((i += 1)) -le "$gap" ]; do echo; done)
    static native void nothing();

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

    public static void main(String[] args) throws InterruptedException {
        try {
            $recursion($depth);
        } catch (Look e) {
            n = $lines($depth);
        }
        Thread waits = new Thread(() -> deep($gap), "waits");
        waits.setDaemon(true);
        waits.start();
        while (waits.getState() != Thread.State.WAITING)
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
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$1" "$1"
}

# Are the lines of these kinds the same as in the VM of the kit, and some?
as_in_kit() # NAME PATTERN
{
    wanted=$(grep -aE -e "$2" "$box/wanted")
    same "$1" "$wanted" "$(lines "$2")"
}

judge()
{
    expect_from_kit
    run_in_student_vm "$class" "$class"
    criterion load
    works 'a program runs' "$last"
    criterion table
    as_in_kit 'the rows' "^row ($methods) "
    criterion absent
    as_in_kit 'natives' '^method nothing '
    as_in_kit 'a class without line numbers' '^method f '
    criterion trace
    as_in_kit 'the stack of the thread itself' '^trace '
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
