# SPDX-License-Identifier: MIT
# Lab 2: the classes are prepared in an order that the seed chooses; one is only loaded.

inputs()
{
    new_name P; program=$r
    keep program "$program"
    new_name C; a=$r
    new_name D; b=$r
    new_name E; c=$r
    new_name F; never=$r
    new_name I; loaded=$r
    new_name t; one=$r
    new_name u; two=$r
    random 3
    case $r in
    0) first=$a second=$b third=$c ;;
    1) first=$c second=$a third=$b ;;
    *) first=$b second=$c third=$a ;;
    esac
    random 100000; number=$r
    keep first "$program" && keep order "$first $second $third" && keep never "$never"
    keep loaded "$loaded" && keep one "$one" && keep two "$two"
    keep last "the end $number"
    build_probe
    mkdir p
    for class in $a $b $c $never $loaded; do
        cat >"p/$class.java" <<END
package p;

public class $class {
    public static int count;
}
END
    done
    cat >"$program.java" <<END
public class $program {
    static int sum;

    static void runs(String name) throws InterruptedException {
        Thread thread = new Thread(() -> sum++, name);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        sum += ++p.$first.count;
        // Loaded, but not prepared: nothing needs its fields or methods.
        Class.forName("p.$loaded", false, $program.class.getClassLoader());
        sum += ++p.$second.count;
        runs("$one");
        sum += ++p.$third.count;
        runs("$two");
        if (args.length > 5)
            sum += p.$never.count;
        System.out.println("the end $number");
    }
}
END
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
    lacks 'none of the class library' '^prepare (java|jdk|sun)[./]' 'prepare java.lang.Object'
    matches 'but those of the program' "^prepare .*$program" "prepare $program"
    criterion start
    same 'threads that begin' "start $one start $two" \
        "$(lines "^start ($one|$two)\$" | tr '\n' ' ' | sed 's/ $//')"
    criterion end
    same 'threads that end' "end $one end $two" \
        "$(lines "^end ($one|$two)\$" | tr '\n' ' ' | sed 's/ $//')"
    # The lab's own agent stands between the submission and the VM.
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$agent," "$program"
    criterion start
    has 'with a thread that starts in the start phase' 'probe: ThreadStart in the start phase'
    lacks 'nothing is asked that the phase forbids' '^probe: GetThreadInfo' \
        'probe: GetThreadInfo is WRONG_PHASE'
    run_checked '' "$program"
    criterion rules
    keeps_rules 'below tiforge check' "$program|$one|$two" "prepare $program"
}
