#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run "interval=5ms,file=$work/%p.stacks" Target
is 'the program ends well' $status 0
has 'and does its work' 'done'
is 'one result, under its name only' "$(ls "$work" | grep -c stacks)" 1
cp "$work"/*.stacks "$work/out"
like 'each line is a stack and a count' '^main;Target\.main;Target\.outer;Target\.spin.* [0-9]+$'
unlike 'and nothing else' '[^0-9]$'

# Of main's samples nearly all are in spin: it had the second, the rest a moment.
set -- $(awk '/^main;/ { all += $NF } /^main;.*Target\.spin/ { spin += $NF }
    END { print spin + 0, all + 0 }' "$work/out")
[ "$1" -ge 10 ] && [ $(($1 * 10)) -ge $(($2 * 7)) ]
ok $? 'the busy method has most samples'
note "$1 of $2"

# It can only be met while it falls asleep.
set -- $(awk '/^sleeper;.*sleep/ { n += $NF } END { print n + 0 }' "$work/out")
[ "$1" -le 2 ]
ok $? 'a sleeping thread has next to none'
note "$1"

began=$(date +%s)
run "interval=1m,file=$work/slow" Target
[ $status = 0 ] && [ -e "$work/slow" ] && [ $(($(date +%s) - began)) -lt 45 ]
ok $? 'the end does not wait for the next sample'
done_testing
