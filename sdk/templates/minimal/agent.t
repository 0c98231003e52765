#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run '' Target
is 'the program ends well' $status 0
has 'and does its work' 'done'
like 'the agent greets' '^@name@: hello from .+ .+'
# The VM starts threads of its own, too.
like 'it has seen the threads' '^@name@: goodbye, ([3-9]|[1-9][0-9]+) threads started$'

run 'greeting="good morning, all"' Target
like 'an option with a comma in quotes' '^@name@: good morning, all from '

run help Target
is 'help ends the VM with 0' $status 0
like 'and tells the options' '^  greeting=TEXT'
unlike 'the program does not run' '^done'

run 'greting=x' Target
ok $((status == 0)) 'an unknown option is an error'
like 'that lists the known ones' 'unknown option "greting"; there are: greeting, help' \
    "$work/err"
done_testing
