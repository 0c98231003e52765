# SPDX-License-Identifier: MIT
# tiforge test --faults -- each error of each function that the agent calls, once; and
# --stress, which disturbs it.
#
# What is called the layer records in a first run, with the errors that the specification
# has (layer/fault.c).  A launcher that notes each exit status stands in for the VM's.

# The launcher, under the same name, since tests may look at that.
scheduled=
note_statuses() # JAVA
{
    mkdir -p "$scratch/launcher"
    noting=$scratch/launcher/${1##*/}
    cat >"$noting" <<END
#!/bin/sh
'$1' $scheduled "\$@"
status=\$?
echo \$status >>'$scratch/statuses'
exit \$status
END
    chmod +x "$noting"
}

# Run the tests with the layer; the statuses and reports are left in the folder.
run_once() # DIR AGENT SETTINGS
{
    rm -f "$scratch"/statuses "$scratch"/state.*
    settings=agent=$tested,status=$scratch/state.%p,report=$scratch/found.%p.json,watchdog=30$3
    : >"$scratch/comments"
    test_on "$1" "$2" "$noting" >"$scratch/tried"
}

# What went wrong besides tests that fail: words for it, or nothing.
judge()
{
    if grep -q '^not ok.*timed out' "$scratch/tried" ||
        grep -qs ' stuck$' "$scratch"/state.*; then
        say "a hang"
    fi
    # A signal, or a status that no run without faults had: 1 says that the VM refused.
    sort -u "$scratch/statuses" 2>/dev/null | while read -r status; do
        if [ "$status" = 1 ] || grep -qx "$status" "$scratch/usual"; then
            :
        elif [ "$status" -ge 128 ]; then
            say "a crash (status $status)"
        else
            say "exit status $status"
        fi
    done
    sed -n 's/^  # \([a-z]*: .*\[[a-z]*\.[a-z-]*\]\)$/\1/p' "$scratch/comments" | sort -u
}

# The run without a fault, by which the others are judged.
record_usual() # DIR AGENT JAVA
{
    count=1
    : >"$scratch/notes.$count"
    note_statuses "$3"
    name=$(name_of "$3")
    run_once "$1" "$2" ",record=$scratch/record"
    if grep '^not ok' "$scratch/tried"; then
        cat "$scratch/comments"
        say "$name: the tests fail without a fault"
        return 1
    fi
    sort -u "$scratch/statuses" >"$scratch/usual"
    tried=0 failed=0
}

# One run with a setting, and whether the agent survived.
try_once() # DIR AGENT SETTINGS NAME
{
    tried=$((tried + 1))
    run_once "$1" "$2" "$3"
    judge >"$scratch/verdict"
    [ -s "$scratch/verdict" ] || return
    failed=$((failed + 1))
    say "not ok - $4"
    sed 's/^/  # /' "$scratch/verdict"
}

test_faults() # DIR AGENT JAVA
{
    record_usual "$@" || return
    # A function and an error once, if there is such a call in some run.
    awk -v nth="$nth" '$1 != "event" && $3 >= nth { print $1, $2 }' "$scratch/record" |
        sort -u >"$scratch/faults"
    while read -r function error <&3; do
        try_once "$1" "$2" ",fault=$function:$error:$nth" "$function fails with $error"
    done 3<"$scratch/faults"
    say "$name: $tried faults, $failed of them not survived"
    [ "$tried" -gt 0 ] || say "no calls of JVM TI"
    [ "$failed" = 0 ] && [ "$tried" -gt 0 ]
}

test_stress() # DIR AGENT JAVA
{
    record_usual "$@" || return
    try_once "$1" "$2" ",stress=$seed" "the seed $seed"
    # On minivm the threads take turns that follow from the seed, too; nothing then depends
    # on time, so that the run is the same one each time.
    case $name in
    minivm*)
        scheduled=-XX:ScheduleSeed=$seed
        note_statuses "$3"
        try_once "$1" "$2" ",stress=$seed,turns" "the seed $seed with turns"
        scheduled=
        note_statuses "$3" ;;
    esac
    sed -n 's/^event \([A-Za-z]*\) .*/\1/p' "$scratch/record" | sort -u >"$scratch/faults"
    while read -r event <&3; do
        try_once "$1" "$2" ",stress=$seed,exit-in=$event" "the program ends in $event"
    done 3<"$scratch/faults"
    say "$name: $tried runs with the seed $seed, $failed of them not survived"
    [ "$failed" = 0 ]
}
