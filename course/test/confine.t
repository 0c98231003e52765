#!/bin/sh
# SPDX-License-Identifier: MIT
# The program that runs submissions: each limit holds, and nothing is left behind.
top=${top_srcdir:?} build=${top_builddir:?}
confine=$(cd "$build" && pwd)/course/confine/confine
# Not in the build folder: the user whose commands these are need not be let in there.
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) && mkdir "$work/scratch" "$work/other" &&
    chmod 711 "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
count=0
uid=
[ "$(id -u)" != 0 ] || uid='--uid 64499'

# bounded OPTIONS COMMAND...: run it; $ended and $isolation say how it ended.
bounded()
{
    options=$1
    shift
    # shellcheck disable=SC2086
    timeout 120 "$confine" --out "$work/out" --err "$work/err" --status "$work/status" \
        --scratch "$work/scratch" $uid $options -- "$@" 2>"$work/said" || ended=failed
    read -r how value isolation <"$work/status"
    ended="$how $value"
}

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || { echo "# $ended"; head -c 500 "$work/err" | sed 's/^/# /'; }
}

is() { [ "$2" = "$3" ]; point $? "$1"; }

bounded '' sh -c 'echo out; echo err >&2; exit 7'
is "the status of the command" "$ended" "exit 7"
is "its output" "$(cat "$work/out" "$work/err" | tr '\n' ' ')" "out err "
echo "# isolation: $isolation"
bounded '' sh -c 'kill -SEGV $$'
is "a signal" "$ended" "signal 11"
bounded '' /no/command
is "a command that is not there" "$ended" "exit 127"
bounded '--env A=1' env
is "a clean environment" "$(cut -d= -f1 "$work/out" | sort | tr '\n' ' ')" \
    "A HOME LANG PATH TMPDIR "
bounded '--cpu 2' sh -c 'while :; do :; done'
is "processor time" "$ended" "limit cpu"
bounded '--idle 2' sleep 100
is "one that does nothing" "$ended" "limit idle"
bounded '--idle 2' sh -c 'i=0; while [ $i -lt 8 ]; do i=$((i + 1)); sleep 0.5
    awk "BEGIN { for (i = 0; i < 3e6; i++) x++ }"; done'
is "one that works now and then goes on" "$ended" "exit 0"
bounded '--output 10 --cpu 10' sh -c 'while :; do echo flood; done'
is "a flood ends" "$ended" "limit output"
is "and little of it is kept" "$(wc -c <"$work/out" | tr -d ' ')" 10240
bounded '--file 1' sh -c 'head -c 3000000 /dev/zero >big; ls -l big | cut -d" " -f5'
is "the size of a file" "$(cat "$work/out")" 1048576
bounded '--memory 100' awk 'BEGIN { x = "a"; while (1) x = x x }'
[ "$ended" != "exit 0" ]
point $? "memory"
bounded '--processes 40 --cpu 8 --idle 4' sh -c 'f() { f & f & wait; }; f' 
[ "${ended%% *}" != failed ]
point $? "a bomb of forks ends"
# A number that no other process here has for its argument.
bounded '' sh -c 'setsid sh -c "sleep 98764 & sleep 98764" & sleep 0.3'
! grep -lsz '^98764$' /proc/[0-9]*/cmdline
point $? "what left its session is ended, too"
bounded '' sh -c "echo x >here && cat here"
is "it may write where it starts" "$(cat "$work/out")" x
case $isolation in
*namespace*)
    is "and that is gone afterwards" "$(ls "$work/scratch")" ""
    echo secret >"$work/other/secret"
    chmod -R a+rwX "$work"
    bounded "--hide $work/other" sh -c "ls $work/other; echo y >$work/mine"
    is "a hidden folder is empty" "$(cat "$work/out")" ""
    [ ! -e "$work/mine" ]
    point $? "it writes nowhere else"
    bounded "--write $work/other" sh -c "echo z >$work/other/z; cat $work/other/secret"
    is "but where it may" "$(cat "$work/other/z" "$work/out" | tr '\n' ' ')" "z secret "
    bounded '' sh -c 'sed -n "s/^ *\([^ :]*\):.*/\1/p" /proc/net/dev'
    is "no network but its own" "$(cat "$work/out")" lo
    bounded '' sh -c 'cat /proc/[0-9]*/comm | wc -l'
    [ "$(cat "$work/out")" -lt 8 ]
    point $? "it sees its own processes only"
    bounded '' sh -c 'kill -KILL -1; sleep 1'
    [ "${ended%% *}" != failed ]
    point $? "and can end no other" ;;
*)
    for name in gone hidden write write-one network processes kill; do
        count=$((count + 1))
        echo "ok $count - $name # SKIP this system allows no namespaces"
    done ;;
esac
"$confine" --out "$work/out" --err "$work/err" --status "$work/status" $uid \
    -- sleep 98763 &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
! grep -lsz '^98763$' /proc/[0-9]*/cmdline
point $? "it ends the command when it is ended"
echo "1..$count"
