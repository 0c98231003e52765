# SPDX-License-Identifier: MIT
# Verdicts: how a lab's t/mark.sh says what came out of a run (runs.sh), one line for each
# in $box/verdicts: criterion, "ok" or "not", name, what was expected, what came.

# Text of a submission in one line: short, and without characters that move a cursor.
harmless() # TEXT
{
    printf '%s' "$1" | head -c 300 | LC_ALL=C tr '\n\t' '; ' | LC_ALL=C tr -c ' -~' '?'
}

# The following verdicts are about this one.
criterion() # ID
{
    criterion=$1
}

record() # STATUS NAME EXPECTED CAME
{
    verdict=ok
    [ "$1" = 0 ] || verdict=not
    printf '%s\t%s\t%s\t%s\t%s\n' "$criterion" "$verdict" "$(harmless "$2")" \
        "$(harmless "$3")" "$(harmless "$4")" >>"$box/verdicts"
    [ $verdict = ok ] || note_complaint
    return 0
}

# What a run whose result was wrong has said on standard error: mostly which call failed,
# or where the VM crashed.  What tiforge check found has criteria of its own.
note_complaint()
{
    [ -s "$box/err" ] || return 0
    grep -av -e '^[[:space:]#]*$' -e '^tiforge check: ' \
        -e '^lab race: ' "$box/err" | head -n 6 |
        while IFS= read -r complaint; do
            complaint=$(harmless "$complaint$(missing_capability "$complaint")")
            grep -qxF -e "$complaint" "$box/said" 2>/dev/null ||
                say "$complaint" >>"$box/said"
        done
}

# Which capability the agent has to ask for, where a line says that a function wants one.
missing_capability() # LINE
{
    case $1 in
    *JVMTI_ERROR_MUST_POSSESS_CAPABILITY*) ;;
    *) return 0 ;;
    esac
    missing=${1%%[!A-Za-z]*}
    missing_wanted=$(awk -v entry="@$missing " '
        /^@/ { inside = index($0, entry) == 1 }
        inside && /^  Requires / { sub(/^  Requires +/, ""); print; exit }' \
        "$data/explain.txt" 2>/dev/null)
    case $missing_wanted in
    can_*) say "; it wants $missing_wanted (AddCapabilities)" ;;
    *) [ -z "$missing" ] || say "; see: tiforge explain $missing" ;;
    esac
}

# The first lines of it, each once.
show_complaints()
{
    [ -s "$box/said" ] || return 0
    say "On standard error came in runs that lost points:"
    head -n 12 "$box/said" | sed 's/^/    /'
}

# Where the agent's own code crashed, as " at FILE:LINE": the first place of its library in
# the VM's report.  addr2line reads what the submission's compiler made, so it is confined.
crash_place()
(
    place=$(grep -aoh 'liblab\.so+0x[0-9a-f]*' "$box/err" "$box/out" | head -n 1)
    [ -n "$place" ] && [ -f "$agent" ] &&
        confined --cpu 20 -- addr2line -s -e "$agent" "${place##*+}" &&
        grep -a '^[A-Za-z0-9_.-]*:[1-9]' "$box/log/out" | sed 's/^/ at /; s/ (disc.*//; q'
)

# How the run ended, for people.
how_ended()
{
    case $ended in
    'limit cpu') say "it was ended after ${run_cpu:-20} seconds of processor time" ;;
    'limit wall') say 'it was ended after too long a time' ;;
    'limit idle') say 'it was ended: all its threads waited, as in a deadlock' ;;
    'limit output') say 'it was ended: it wrote too much' ;;
    'limit '*) say "it was ended: too much ${ended#limit }" ;;
    signal*) say "it ended by $ended$(crash_place)" ;;
    *) say "it ended with $ended" ;;
    esac
}

# What came, for a message: lines that are near to what was wanted, else that there are
# none, and how the output begins, which may be lines of the program.
near() # PATTERN
{
    near=$(grep -aE -e "$1" "$box/out" | head -n 3)
    [ -n "$near" ] || near="no such line; the output begins with: $(head -n 3 "$box/out")"
    [ "$ended" = "exit 0" ] || near="$near ($(how_ended)) $(grep -av '^$' "$box/err" | head -n 2)"
    say "$near"
}

# The same text?  Where nothing came the message has lines that begin alike.
same() # NAME EXPECTED CAME
{
    same_came=$3
    [ -n "$3" ] || [ -z "$2" ] || same_came=$(near "^${2%% *}")
    [ "$2" = "$3" ]
    record $? "$1" "$2" "$same_came"
}

# Is there such a line on standard output?
has() # NAME LINE
{
    grep -aqxF -e "$2" "$box/out"
    record $? "$1" "$2" "$(near "^${2%% *}")"
}

# Does a line match the pattern?  The example is for people.
matches() # NAME PATTERN [EXAMPLE]
{
    grep -aqE -e "$2" "$box/out"
    record $? "$1" "a line such as ${3:-$2}" "$(near "${2%% *}")"
}

# Does no line match?
lacks() # NAME PATTERN [EXAMPLE]
{
    ! grep -aqE -e "$2" "$box/out"
    record $? "$1" "no line such as ${3:-$2}" "$(grep -aE -e "$2" "$box/out" | head -n 2)"
}

# A function of JVM TI that the agent calls, from Agent_OnLoad on: all in the run, by the
# layer's trace in $box/err, which says arguments and result.
run_traced() # FUNCTIONS OPTIONS CLASS [ARGUMENT...]
{
    trace_options="only=,trace=-,filter=$1"
    run_options=$2
    shift 2
    start_vm "-agentpath:$course_layer=agent=$agent,$trace_options,options=$run_options" "$@"
}

# The calls of a function in it, in their order.
calls_of() # FUNCTION [PATTERN]
{
    cat "$box/out" "$box/err" | grep -a -e "$1" | grep -aE -e "${2:-.}"
}

# The lines that match, in their order.
lines() # PATTERN
{
    grep -aE -e "$1" "$box/out"
}

# Did the program do its work, and end well?
works() # NAME LINE
{
    [ "$ended" = "exit 0" ] && grep -aqxF -e "$2" "$box/out"
    record $? "$1" "$2, and exit status 0" "$(how_ended); $(near "^${2%% *}")"
}

# Were no rules broken?  PATTERN is of what differs by seed in the lines that the agent
# prints where it works, right or wrong, so that an agent which does nothing gets nothing
# for it.
keeps_rules() # NAME PATTERN EXAMPLE
{
    broken=$(grep -a '^tiforge check: error: ' "$box/err" | head -n 3)
    if [ "$ended" != "exit 0" ]; then
        broken="not judged: $(how_ended)${broken:+; $broken}"
    elif [ -z "$broken" ] && ! grep -aqE -e "$2" "$box/out"; then
        broken="not judged: the agent wrote no line such as $3"
    fi
    [ -z "$broken" ]
    record $? "$1" "no rule of tiforge check broken, in a run that ends well" \
        "$(explain_rules)$broken"
}

# Where the rules that the run has broken are explained, from what the layer says of them:
# it has the rule's name in brackets.
explain_rules()
{
    explained=$(sed -n 's/^tiforge check: error: .*\[\([a-z0-9.-]*\)\]$/\1/p' "$box/err" |
        sort -u | head -n 3 | tr '\n' ' ')
    [ -z "$explained" ] || say "(tiforge explain ${explained% }) "
}

# The two places of each race that the run has told about, as "FILE:LINE and FILE:LINE".
# addr2line reads what the submission's compiler made, so it is confined, too.
races()
{
    sed -n 's/^lab race: \(0x[0-9a-f]*\) \([a-z]*\), \(0x[0-9a-f]*\) \([a-z]*\)$/\1 \2 \3 \4/p' \
        "$box/err" | sort -u | head -n 3 |
        while read -r one one_kind two two_kind; do
            confined --cpu 20 -- addr2line -s -e "$watched_agent" "$one" "$two" || continue
            { read -r one && read -r two; } <"$box/log/out"
            say "$one ($one_kind) and $two ($two_kind)"
        done
}

# Did a run of run_watched meet no two threads in front of the same memory, one of them to
# write it?  PATTERN and EXAMPLE are those of keeps_rules.
has_no_races() # NAME PATTERN EXAMPLE
{
    raced=
    if grep -rqs no_sanitize "$box/seen/src"; then
        raced="not judged: the sources turn the watching off (no_sanitize)"
    elif [ "$ended" != "exit 0" ]; then
        raced="not judged: $(how_ended)"
    elif grep -aq '^lab race: 0x' "$box/err"; then
        raced="two threads come at the same time to $(races | tr '\n' ';')"
    elif ! grep -aqx 'lab race: accesses were watched' "$box/err" ||
        ! grep -aqE -e "$2" "$box/out"; then
        raced="not judged: the agent wrote no line such as $3"
    fi
    [ -z "$raced" ]
    record $? "$1" "no two threads at the same memory, one of them writing" "$raced"
}
