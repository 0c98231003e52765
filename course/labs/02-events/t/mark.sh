# SPDX-License-Identifier: MIT
# Lab 2: the classes are prepared in an order that the seed chooses, one of them on another
# thread; one is only loaded.  One has a package whose name begins as those of the JDK, one
# is nested in a class that is not prepared.

inputs()
{
    new_name P; program=$r
    keep program "$program"
    new_name C; a=$r
    new_name D; b=$r
    new_name E; c=$r
    new_name F; never=$r
    new_name I; loaded=$r
    new_name N; nested=$never\$$r inner=$r
    new_name t; one=$r-of-a-pool-with-a-long-name
    new_name u; two=$r
    new_name k; like=$r
    new_name M; keep main_name "$r"
    random 3
    case $r in
    0) first=$a second=$b third=$c ;;
    1) first=$c second=$a third=$b ;;
    *) first=$b second=$c third=$a ;;
    esac
    random 100000; number=$r
    keep first "$program" && keep order "$first $nested $second $third" && keep never "$never"
    keep loaded "$loaded" && keep one "$one" && keep two "$two"
    keep last "the end $number"
    keep like "jdk.$like.L"
    build_probe
    mkdir p
    mkdir -p "jdk/$like"
    echo "package jdk.$like; public class L { public static int count; }" >"jdk/$like/L.java"
    for class in $a $b $c $never $loaded; do
        cat >"p/$class.java" <<END
package p;

public class $class {
    public static int count;

    public static class $inner {
        public static int count;
    }
}
END
    done
    cat >"$program.java" <<END
public class $program {
    static int sum;

    static void runs(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(() -> {
            work.run();
            System.out.println("body " + name);
        }, name);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        sum += ++p.$first.count;
        sum += ++p.$never.$inner.count;
        // Loaded, but not prepared: nothing needs its fields or methods.
        Class.forName("p.$loaded", false, $program.class.getClassLoader());
        sum += ++p.$second.count;
        runs("$one", () -> sum++);
        sum += ++jdk.$like.L.count;
        runs("$two", () -> sum += ++p.$third.count);
        if (args.length > 5)
            sum += p.$never.count;
        System.out.println("the end $number");
    }
}
END
}

# Was nothing asked in the event that the lab's own agent has sent in that phase?
asks_nothing() # EVENT PHASE
{
    has "with a $1 in the $2 phase" "probe: $1 in the $2 phase"
    awk -v event="probe: $1 in the $2 phase" '$0 == event { at = NR }
        at && NR == at + 1 && /^probe: GetThreadInfo/ { found = 1 }
        END { exit found }' "$box/out"
    record $? 'nothing is asked that the phase forbids' 'no call of GetThreadInfo' \
        'GetThreadInfo is WRONG_PHASE'
}

judge()
{
    run '' "$program"
    criterion load
    works 'the program does its work' "$last"
    criterion phases
    same 'the lines in their order' 'onload phase=onload
vmstart phase=start
vminit phase=live
vmdeath phase=live' "$(lines '^(onload|vmstart|vminit|vmdeath) ' | sed 's/ thread=.*//')"
    criterion early
    same 'the thread of VMInit' 'thread=main' "$(lines '^vminit ' | sed 's/.* thread=/thread=/')"
    criterion prepare
    same 'classes in their order' "$(printf 'prepare p.%s\n' $order)" \
        "$(lines '^prepare p\.')"
    same 'the main class, once' "prepare $program" "$(lines "^prepare $program\$")"
    criterion own
    same 'none of the class library, and the class whose name only looks so' "prepare $like" \
        "$(lines '^prepare (java|jdk|sun)[./]' | tr / . | head -n 5)"
    matches 'but those of the program' "^prepare .*$program" "prepare $program"
    # A thread's own line stands between.
    criterion start
    same 'threads that begin' "start $one body $one start $two body $two" \
        "$(lines "^(start|body) ($one|$two)\$" | tr '\n' ' ' | sed 's/ $//')"
    criterion end
    same 'threads that end' "body $one end $one body $two end $two" \
        "$(lines "^(end|body) ($one|$two)\$" | tr '\n' ' ' | sed 's/ $//')"
    # The lab's own agent stands between the submission and the VM.
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$agent,$main_name" "$program"
    criterion phases
    same 'where GetPhase answers primordial at first and dead in the end' \
        'onload phase=primordial
vmdeath phase=dead' "$(lines '^(onload|vmdeath) ')"
    criterion early
    same 'another name of the thread of VMInit' "thread=$main_name" \
        "$(lines '^vminit ' | sed 's/.* thread=/thread=/')"
    criterion start
    asks_nothing ThreadStart start
    criterion end
    asks_nothing ThreadEnd dead
    run_checked '' "$program"
    criterion rules
    # Not the lines "body NAME" of the program.
    keeps_rules 'below tiforge check' "$program|^([^b]|b[^o]).*($one|$two)" "prepare $program"
}
