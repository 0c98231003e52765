#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run '' -Xverify:all Target
missing=$(unsupported) && [ $status != 0 ] && skip_all "this VM: $missing"
is 'the changed program ends well' $status 0
has 'and does its work' 'sum 18'
has 'a method with a loop' '@name@: 10 Target.loop(int)'
has 'one with handlers' '@name@: 2 Target.caught(java.lang.String)'
has 'a constructor' '@name@: 3 Target$Square.<init>(int)'
has 'an overridden method' '@name@: 3 Target$Square.corners()'
has 'one that was not called' '@name@: 0 Target.never()'
has 'the sum' '@name@: 2 classes changed, 0 not'

run 'include=nothing' Target
has 'without a class to change' '@name@: 0 classes changed, 0 not'
has 'the program runs as well' 'sum 18'
done_testing
