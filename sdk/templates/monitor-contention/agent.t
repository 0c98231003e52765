#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run 'include=Target*' Target
is 'the program ends well' $status 0
has 'and does its work' 'blocked 503'
like 'each time that a thread is blocked' '^@name@: blocked 3 times, .*: Target\$Lock$'
like 'each wait' '^@name@: waited 2 times, .*: Target\$Signal$'
unlike 'a monitor that nobody waits for is not there' 'Target\$Free'

# Each blocking lasted 30 ms at least; so did one wait, and the other 40 ms.
time_of() { sed -n "s/^@name@: $1 [0-9]* times, \([0-9]*\) us.*/\1/p" "$work/out"; }
blocked=$(time_of blocked) waited=$(time_of waited)
[ "${blocked:-0}" -ge 90000 ] && [ "$blocked" -le 60000000 ]
ok $? 'the time of blocking'
note "$blocked us"
[ "${waited:-0}" -ge 69000 ] && [ "$waited" -le 60000000 ]
ok $? 'the time of waiting'
note "$waited us"
has 'the end' '@name@: end'
done_testing
