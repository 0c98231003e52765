# SPDX-License-Identifier: MIT
# Lab 1: names and numbers of repetitions differ by seed.  One name is long and has a = in
# it, one number has two digits, and options that nobody knows begin or end as known ones.

inputs()
{
    new_name P; program=$r
    new_name A; keep name_one "$r"
    new_name B; keep name_two "$r"
    new_name o; odd=$r; keep odd "$r"
    new_name V; keep odd_vm "$r VM"
    keep name_hard "$odd=$(i=0; while [ $((i += 1)) -le 12 ]; do new_name n; printf %s "$r"; done)"
    between 11 19; keep times "$r"
    between 2 9; keep more_times "$r"
    random 100000; keep last "the end $r"
    keep program "$program"
    cat >"$program.java" <<END
public class $program {
    public static void main(String[] args) {
        System.out.println(args.length > 0 ? System.getProperty("java.vm.name") : "begin");
        System.out.println("the end $r");
    }
}
END
    build_probe
}

# How often a line is there.
how_often() # LINE
{
    grep -acxF -e "$1" "$box/out"
}

# With NULL for options, as HotSpot does it where there is no =: the lab's own agent calls
# the submission's Agent_OnLoad so.
run_without_options() # CLASS [ARGUMENT...]
{
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$agent,$odd_vm" "$@"
}

# An option that is none: the message, and whether the program runs.
refuses() # NAME OPTIONS OPTION
{
    run "$2" "$program"
    same "$1: the message on standard error" "unknown option: $3" \
        "$(grep -a '^unknown option' "$box/err")"
    same "$1: the program does not run" '' "$(lines '^begin')"
}

judge()
{
    run "name=$name_one" "$program"
    criterion load
    works 'the program does its work' "$last"
    # "vm NAME" stands before the program's lines, so the program says the name below.
    criterion goodbye
    same 'the last line' "goodbye" "$(grep -aE "^goodbye|^$last" "$box/out" | tail -n 1)"
    same 'one goodbye' 1 "$(how_often goodbye)"

    criterion name
    same 'a name' "hello $name_one" "$(lines '^hello')"
    run "name=$name_hard" "$program" ask
    same 'a long name, with a = in it' "hello $name_hard" "$(lines '^hello')"
    criterion vm
    real=$(grep -aE -B 1 -e "^$last" "$box/out" | head -n 1)
    same 'the name of the VM' "vm $real" "$(lines '^vm ')"

    # The lab's own agent gives the VM another name.
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$agent,$odd_vm,name=$name_one" "$program"
    same 'the name of another VM' "vm $odd_vm" "$(lines '^vm ')"

    criterion hello
    run_without_options "$program"
    same 'options are NULL: hello world, once' 1 "$(how_often 'hello world')"
    same 'and no other greeting' 'hello world' "$(lines '^hello')"
    same 'it greets in Agent_OnLoad' 'hello world' \
        "$(lines '^(hello|probe:)' | head -n 1)"
    start_vm "-agentpath:$agent=" "$program"
    same 'options are empty: hello world, once' 1 "$(how_often 'hello world')"
    same 'and no other greeting' 'hello world' "$(lines '^hello')"

    run "repeat=$times" "$program"
    criterion repeat
    same "repeat=$times: so many times hello world" "$times" "$(how_often "hello world")"
    run "repeat=$more_times,name=$name_two" "$program"
    criterion both
    same "repeat=$more_times,name=$name_two: so many times hello $name_two" "$more_times" \
        "$(how_often "hello $name_two")"
    run "name=$name_two,repeat=$more_times" "$program"
    same "name=$name_two,repeat=$more_times: so many times hello $name_two" "$more_times" \
        "$(how_often "hello $name_two")"

    criterion unknown
    refuses 'behind one that is known' "name=$name_two,my${odd}name=1" "my${odd}name=1"
    refuses 'one that begins as one that is known' "name$odd=1" "name$odd=1"
    refuses 'another one' "$odd=1" "$odd=1"
    # Who ends the process in Agent_OnLoad leaves the VM no word.
    grep -aq '^Error occurred during initialization of VM' "$box/out" "$box/err"
    record $? 'Agent_OnLoad returns an error, so that the VM says that it does not start' \
        'Error occurred during initialization of VM' "$(how_ended)"

    # Which events the agent enables, seen by the layer.
    run_traced SetEventNotificationMode "name=$name_one" "$program"
    criterion vm
    enables VMInit VM_INIT
    criterion goodbye
    enables VMDeath VM_DEATH

    run_checked "name=$name_one" "$program"
    criterion rules
    keeps_rules 'below tiforge check' "$name_one|$real" "vm $real"
}

enables() # EVENT CONSTANT
{
    calls_of SetEventNotificationMode "ENABLE.*($1|$2)" | grep -q .
    record $? "the event $1 is enabled" "SetEventNotificationMode for $1" \
        "$(calls_of SetEventNotificationMode ENABLE | head -n 3)"
}
