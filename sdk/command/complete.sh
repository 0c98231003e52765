# SPDX-License-Identifier: MIT
# tiforge --complete -- what could stand in a place of the command line, a line each: the
# completions of bash, zsh and fish ask for it, so that all three know the same.

# The options that a command's help tells of.
options_of() # COMMAND
{
    [ -f "$data/command/$1.sh" ] || return
    . "$data/command/$1.sh"
    "help_$1" 2>/dev/null | grep -oE -e '--[a-z][a-z-]*' | sort -u
    say --help
}

complete_agents()
{
    for file in "$lib"/tiforge/agents/lib*.so; do
        name=${file##*/lib}
        [ ! -f "$file" ] || say "${name%.so}"
    done
}

# The library of AGENT, a file or the name of an installed one.
agent_file() # AGENT
{
    if [ -f "$1" ]; then
        readlink -f -- "$1"
    elif [ -f "$lib/tiforge/agents/lib$1.so" ]; then
        say "$lib/tiforge/agents/lib$1.so"
    fi
}

# What may follow AGENT=: its options, and the values of an option that has a choice.
# The agent itself tells them, in Agent_OnLoad, before there is a VM to speak of.
complete_options() # AGENT=OPTIONS
{
    file=$(agent_file "${1%%=*}")
    [ -n "$file" ] || return
    given=${1#*=}
    case $given in
    *,*) last=${given##*,} before=${given%,*}, ;;
    *) last=$given before= ;;
    esac
    timeout 5 "$minivm" -agentpath:"$file=help" -version </dev/null 2>/dev/null |
        awk -v start="${1%%=*}=$before" -v last="$last" '
            match($0, /^  [a-z_-]+=/) {
                name = substr($0, 3, RLENGTH - 3)
                rest = substr($0, RLENGTH + 1)
                sub(/ .*/, "", rest)
                if (index(last, name "=") == 1) {
                    count = rest ~ /[|]/ ? split(rest, choice, "|") : 0
                    for (i = 1; i <= count; i++)
                        print start name "=" choice[i]
                } else if (rest == "yes|no" || rest ~ /^yes[|]no/)
                    print start name
                else
                    print start name "="
                next
            }
            /^  help / { print start "help" }'
}

# After an option that wants a value.
complete_value() # OPTION
{
    case $1 in
    --template) (cd "$data/templates" 2>/dev/null && ls | grep -v '^common$') ;;
    --lang) printf '%s\n' c c++ ;;
    --build) printf '%s\n' make autotools cmake ;;
    --license) printf '%s\n' MIT Apache-2.0 BSD-2-Clause GPL-2.0-or-later none ;;
    --vm|--java) printf '%s\n' minivm java ;;
    --only) sed -n 's/^@//p' "$data/rules-explain.txt" ;;
    --fail-on) printf '%s\n' error warning advice ;;
    --dir|--report|--suppress|--file|--filter|--author|--timeout|--glibc|--jobs|--shard|\
    --expect|--with|--agent|--mutate|--log|--after|--level|--seed|--lab|--csv|--html|\
    --hide|--watchdog|--nth) ;;
    *) return 1 ;;
    esac
}

# The words of explain's entries; numbers are of no use here.
complete_names()
{
    awk '/^@/ {
        sub(/^@/, "")
        for (i = 1; i <= NF; i++)
            if ($i !~ /^[0-9-]/)
                print $i
    }' "$data/explain.txt" "$data/rules-explain.txt"
}

# Lines that begin with WORD, by which the shell replaces it.
run_complete() # WORD-BEFORE... WORD
{
    [ $# -gt 0 ] || return 0
    if [ $# = 1 ]; then
        printf '%s\n' $commands help --help --version | starting "$1"
        return
    fi
    command=$1 before= word= agent= ended=
    shift
    for next; do
        before=$word word=$next
        [ "$before" != -- ] || ended=1
        case $before in
        ''|-*) ;;
        *) case $two_before in
            --*) ;;
            *) agent=$before ;;
            esac ;;
        esac
        two_before=$before
    done
    [ -z "$ended" ] || return 0         # the Java program's arguments
    complete_word | starting "$word"
}

complete_word()
{
    ! complete_value "$before" || return
    case $command:$word in
    help:*) printf '%s\n' $commands ;;
    *:-*) options_of "$command" ;;
    run:*=*|check:*=*|trace:*=*) [ -n "$agent" ] || complete_options "$word" ;;
    run:*|check:*|trace:*)
        if [ -n "$agent" ]; then
            say --
        else
            complete_agents
        fi ;;
    explain:*) complete_names ;;
    lab:*) printf '%s\n' list start check hint open ;;
    esac
}

starting() # WORD
{
    word=$1 awk 'index($0, ENVIRON["word"]) == 1 && !seen[$0]++'
}
