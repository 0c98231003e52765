# SPDX-License-Identifier: MIT
# tiforge trace -- a Java program with an agent, and each call and event of the agent.

help_trace()
{
    cat <<'END'
usage: tiforge trace [OPTION...] AGENT[=OPTIONS] [-- JAVA-ARGUMENT...]

Runs a Java program with an agent, as tiforge run does, and shows each of its calls of
JVM TI and JNI and each event that it gets, with arguments, result and duration.

  --vm VM            a launcher such as java (minivm)
  --filter PATTERNS  only functions and events that a pattern fits, with commas between
                     them: 'Get*,VMInit'; thread=PATTERN for the thread's name,
                     class=PATTERN for a class among the arguments
  --file FILE        write to a file; FILE.jsonl gets a JSON object in each line
  --summary          only how often each was called, with errors and time in all

Exit status: that of the program, 2 if it could not be run.
END
}

run_trace()
{
    vm=$minivm file=- settings=
    while [ $# -gt 0 ]; do
        case $1 in
        --vm|--filter|--file)
            [ $# -gt 1 ] || fail "trace: $1 wants a value"
            case $1 in
            --vm) find_vm "$2" ;;
            --filter) settings=$settings,filter=$(say "$2" | tr , :) ;;
            --file)
                plain trace "$2"
                [ -d "$(dirname -- "$2")" ] || fail "trace: there is no folder for '$2'"
                file=$(whole_path "$2") ;;
            esac
            shift 2 ;;
        --summary) settings=$settings,summary; shift ;;
        -h|--help) help_trace; exit 0 ;;
        --) break ;;
        --*) no_option trace "$1" ;;
        *) break ;;
        esac
    done
    [ $# -gt 0 ] && [ "$1" != -- ] || { help_trace >&2; exit 2; }
    find_agent "$1"
    plain agent "$agent"
    shift
    [ "${1-}" = -- ] && shift
    layer=$lib/tiforge/check/libtiforge-check.so
    [ -f "$layer" ] || fail "there is no '$layer'"
    # No rule is wanted: only= names none.
    exec "$vm" \
        -agentpath:"$layer=agent=$agent,only=,trace=$file$settings,options=${options#=}" "$@"
}

. "$data/command/check.sh"
