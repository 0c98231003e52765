# SPDX-License-Identifier: MIT
# tiforge run -- a Java program with an agent.

help_run()
{
    cat <<'END'
usage: tiforge run [--vm VM] AGENT[=OPTIONS] [-- JAVA-ARGUMENT...]

Runs a Java program with an agent: under minivm, or under VM, which is a launcher
such as java. AGENT is a library, or the name of an installed agent:

    tiforge run heapdump=file=a.hprof -- -cp classes Main
    tiforge run --vm java ./libhello.so -- -jar app.jar
END
}

# The whole path of a library, unless a folder in it has the = where options begin.
library_path() # FILE
{
    whole=$(readlink -f -- "$1")
    case $whole in
    *=*) case $1 in
        /* | ./*) say "$1" ;;
        *) say "./$1" ;;
        esac ;;
    *) say "$whole" ;;
    esac
}

# What --vm names; the rest of the command line begins at shift.
find_vm() # LAUNCHER
{
    vm=$minivm
    [ "$1" = minivm ] || vm=$1
    command -v "$vm" >/dev/null || fail "there is no launcher '$1'"
}

# AGENT[=OPTIONS] as the library's path in $agent and =OPTIONS in $options.
find_agent() # AGENT
{
    agent=${1%%=*}
    options=${1#"$agent"}
    installed=$lib/tiforge/agents/lib$agent.so
    if [ -f "$agent" ]; then
        agent=$(library_path "$agent")
    elif [ -f "$installed" ]; then
        agent=$installed
    elif [ -f "$agent$options" ]; then
        fail "a JVM takes what follows the first = for options: rename '$agent$options'"
    else
        no_agent "$agent"
    fi
}

installed_agents()
{
    for file in "$lib"/tiforge/agents/lib*.so; do
        name=${file##*/lib}
        [ ! -f "$file" ] || say "${name%.so}"
    done
}

# A name with a slash or an ending is a file's, another one an installed agent's.
no_agent() # NAME
{
    case $1 in
    */*|*.so)
        in=$(dirname -- "$1")
        [ -d "$in" ] || fail "there is no file '$1', for there is no folder '$in'"
        fail "there is no file '$1'$(for file in "$in"/*.so; do
            case $1 in
            */*) say "$in/${file##*/}" ;;
            *) say "${file##*/}" ;;
            esac
        done | grep -v '[*]' | did_you_mean "$1")" ;;
    esac
    there=$(installed_agents | tr '\n' ' ')
    fail "there is no agent '$1'$(installed_agents | did_you_mean "$1")" \
        "${there:+(installed: ${there% })}"
}

run_run()
{
    vm=$minivm
    case ${1-} in
    --vm)
        [ $# -gt 1 ] || fail "--vm wants a launcher"
        find_vm "$2"
        shift 2 ;;
    --?*) no_option run "$1" ;;
    esac
    [ $# -gt 0 ] || { help_run >&2; exit 2; }
    find_agent "$1"
    shift
    [ "${1-}" = -- ] && shift
    exec "$vm" -agentpath:"$agent$options" "$@"
}
