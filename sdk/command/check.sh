# SPDX-License-Identifier: MIT
# tiforge check -- a Java program with an agent, and which rules the agent breaks.

help_check()
{
    cat <<'END'
usage: tiforge check [OPTION...] AGENT[=OPTIONS] [-- JAVA-ARGUMENT...]

Runs a Java program with an agent, as tiforge run does, and tells on standard error
which rules of JVM TI the agent breaks, where and why. tiforge-rules(7) has the rules,
tiforge explain RULE explains one.

  --vm VM            a launcher such as java (minivm)
  --report FILE      also write what was found to FILE.json, .sarif, .tap or .xml (JUnit)
  --only RULES       only these rules or families, with commas between them
  --suppress FILE    leave out what the lines of FILE fit: RULE [FUNCTION [FRAME]]
  --fail-on SEVERITY what makes the exit status 70: error (default), warning or advice
  --poison           spoil what functions that fail leave in their results
  --watchdog SECONDS end the program when a callback or call of the agent takes longer
                     (120; 0 for any time), and show the stacks
  --timeout SECONDS  end a program that takes longer, and show its stacks

Exit status: that of the program, but 70 if a rule was broken, 71 after a crash, 72
after a hang, 2 if the program could not be run.
END
}

# The names of rules and families, one a line.
rule_names()
{
    sed -n 's/^@\([a-z-]*\)\.\(.*\)/\1\n\1.\2/p' "$data/rules-explain.txt" | sort -u
}

check_rule_names() # NAMES
{
    for name in $(say "$1" | tr ',:' '  '); do
        rule_names | grep -qxF -e "$name" || fail "check: there is no rule '$name'"
    done
}

# What goes into the option of an agent.
plain() # WHAT FILE
{
    case $2 in
    *,*) fail "the name of the $1 must have no comma: '$2'" ;;
    esac
}

# Is one severity at least the other?
at_least() # SEVERITY LEAST
{
    case $1-$2 in
    error-*|warning-warning|warning-advice|advice-advice) return 0 ;;
    *) return 1 ;;
    esac
}

# Absolute, since the program may change its folder.
whole_path() # FILE
{
    case $1 in
    /*) say "$1" ;;
    *) say "$PWD/$1" ;;
    esac
}

take_check_option() # OPTION VALUE
{
    case $1 in
    --vm) find_vm "$2" ;;
    --report)
        case $2 in
        *.json|*.sarif|*.tap|*.xml) ;;
        *) fail "check: a report is a file .json, .sarif, .tap or .xml, not '$2'" ;;
        esac
        plain report "$2"
        [ -d "$(dirname -- "$2")" ] || fail "check: there is no folder for '$2'"
        settings=$settings,report=$(whole_path "$2") ;;
    --only)
        check_rule_names "$2"
        settings=$settings,only=$(say "$2" | tr , :) ;;
    --suppress)
        plain suppressions "$2"
        [ -r "$2" ] && [ -f "$2" ] || fail "check: cannot read '$2'"
        settings=$settings,suppress=$(whole_path "$2") ;;
    --fail-on)
        case $2 in
        error|warning|advice) ;;
        *) fail "check: --fail-on is error, warning or advice, not '$2'" ;;
        esac
        fail_on=$2
        settings=$settings,fail-on=$2 ;;
    --watchdog)
        case $2 in
        ''|*[!0-9]*|0?*|???????*)
            fail "check: --watchdog wants a number of seconds, not '$2'" ;;
        esac
        watchdog=$2 ;;
    --timeout)
        case $2 in
        ''|*[!0-9]*|0*) fail "check: --timeout wants a number of seconds, not '$2'" ;;
        esac
        limit=$2 ;;
    esac
}

run_check()
{
    vm=$minivm fail_on=error limit= settings= watchdog=120
    while [ $# -gt 0 ]; do
        case $1 in
        --vm|--report|--only|--suppress|--fail-on|--timeout|--watchdog)
            [ $# -gt 1 ] || fail "check: $1 wants a value"
            take_check_option "$1" "$2"
            shift 2 ;;
        --poison) settings=$settings,poison; shift ;;
        --) break ;;
        -h|--help) help_check; exit 0 ;;
        --*) no_option check "$1" ;;
        *) break ;;
        esac
    done
    [ $# -gt 0 ] && [ "$1" != -- ] || { help_check >&2; exit 2; }
    find_agent "$1"
    plain agent "$agent"
    shift
    [ "${1-}" = -- ] && shift
    layer=$lib/tiforge/check/libtiforge-check.so
    [ -f "$layer" ] || fail "there is no '$layer'"

    scratch=$(mktemp -d) || exit 2
    trap 'rm -rf "$scratch"' EXIT
    # Who sits there had better know that silence is no end.
    if [ -t 2 ]; then
        slow=
        [ "$vm" != "$minivm" ] || slow=', an interpreter: --vm java is faster'
        say "tiforge: checking with $vm$slow; findings come as they are found" >&2
    fi
    set -- "$vm" -agentpath:"$layer=agent=$agent,status=$scratch/status,watchdog=$watchdog$settings,options=${options#=}" "$@"
    if [ -n "$limit" ]; then
        sh "$data/templates/common/bounded.sh" "$limit" "$@"
    else
        "$@"
    fi
    status=$?
    worst=none state=
    [ ! -f "$scratch/status" ] || read -r worst state <"$scratch/status"
    if [ "$state" = stuck ]; then
        exit 72
    elif [ -n "$limit" ] && [ $status -eq 124 ] && [ "$state" != ended ]; then
        say "tiforge: ended after $limit seconds" >&2
        exit 72
    elif [ $status -ge 128 ] && [ "$state" = running ]; then
        say "tiforge: the program crashed, or was killed (status $status)" >&2
        exit 71
    elif at_least "$worst" "$fail_on"; then
        exit 70
    fi
    exit $status
}

. "$data/command/run.sh"
