#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run 'include=Target*,on=exit' Target
missing=$(unsupported) && [ $status != 0 ] && skip_all "this VM: $missing"
is 'the program ends well' $status 0
has 'and does its work' 'kept 5'
like 'all nodes are counted' '^@name@: 1000 [0-9]+ Target\$Node$'
bytes=$(sed -n 's/^@name@: 1000 \([0-9]*\) Target\$Node$/\1/p' "$work/out")
[ "$((bytes % 1000))" = 0 ] && [ "$bytes" -ge 24000 ]
ok $? 'a node has room for two longs'
note "$bytes bytes"
like 'arrays have their own class' '^@name@: 5 [0-9]+ Target\$Node\[\]$'
like 'so has the array of arrays' '^@name@: 1 [0-9]+ Target\$Node\[\]\[\]$'
unlike 'what is not wanted is left out' 'java\.'
like 'the total counts all' '^@name@: [0-9]{4,} [0-9]{5,} total$'

run "file=$work/histogram,on=signal,include=Target*" Target "$work/histogram"
is 'on a signal, too' $status 0
like 'the program goes on' '^kept 5'
like 'the file has the nodes' '^@name@: 1000 [0-9]+ Target\$Node$' "$work/histogram"

run 'on=gc,include=Target*' Target
is 'after a collection' $status 0
like 'a thread of its own walks' '^@name@: 1000 [0-9]+ Target\$Node$'
done_testing
