#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run 'interval=0,include=Target*' Target
missing=$(unsupported) && [ $status != 0 ] && skip_all "this VM: $missing"
is 'the program ends well' $status 0
has 'and does its work' 'done'
like 'there is a report' '^@name@: objects bytes class and place$'
if grep -q 'does not offer samples' "$work/err"; then
    for name in 'each object at a place' 'another place' 'arrays' 'sizes'; do
        skip "$name" 'this VM does not offer samples'
    done
else
    # HotSpot may hand out a thread's first few objects before it looks at the interval.
    number() { sed -n "s/^@name@: \([0-9]*\) $1\$/\1/p" "$work/out"; }
    many=$(number '[0-9]* Target\$Thing at Target\.many()')
    [ "${many:-0}" -ge 490 ] && [ "$many" -le 500 ]
    ok $? 'each object at a place'
    note "$many of 500"
    few=$(number '[0-9]* Target\$Thing at Target\.few()')
    [ "${few:-0}" -ge 18 ] && [ "$few" -le 20 ]
    ok $? 'another place'
    note "$few of 20"
    arrays=$(number '[0-9]* Target\$Thing\[\] at Target\.arrays()')
    [ "${arrays:-0}" -ge 9 ] && [ "$arrays" -le 10 ]
    ok $? 'arrays'
    note "$arrays of 10"
    bytes=$(sed -n 's/.* \([0-9]*\) Target\$Thing\[\] at Target\.arrays()$/\1/p' "$work/out")
    [ "${bytes:-0}" -ge $((arrays * 4000)) ]
    ok $? 'sizes'
    note "$bytes bytes of arrays"
fi
unlike 'other classes are left out' '^@name@: [0-9]+ [0-9]+ (java|\[)'

run 'interval=-1' Target
like 'a bad interval is an error' 'must be from 0 to' "$work/err"
done_testing
