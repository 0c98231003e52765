#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run 'include=Target*' Target
is 'started with the VM' $status 0
has 'it says so' '@name@: started'
has 'and counts until the end' '@name@: stopped, 3 classes'

run 'stop' Target
ok $((status == 0)) 'there is nothing to stop'
like 'which it says' 'the agent does not run' "$work/err"

# attach OPTIONS...: without the agent at the start.
attach()
{
    java_bounded -Djdk.attach.allowAttachSelf=true -cp "$work" Target "$AGENT" "$@"
}

attach 'include=Target*' 'include=Target*' stop stop help
if grep '^no attach' "$work/out" >"$work/reason"; then
    for name in 'started by attach' 'not twice' 'stopped' 'not stopped twice' 'help' \
        'the program goes on' 'a start after a stop'; do
        skip "$name" "the VM does not offer attach"
    done
    done_testing
    exit
fi
has 'started by attach' '@name@: started by attach'
like 'not twice' '^failed include=Target\* -?[1-9]'
has 'stopped' '@name@: stopped, 1 classes'
like 'not stopped twice' '^failed stop -?[1-9]'
has 'help' 'attached help'
has 'the program goes on' 'Target$Third'

attach 'include=Target*' stop 'include=*Third'
is 'a start after a stop' "$(grep -c '^@name@: stopped, 1 classes' "$work/out")" 2
done_testing
