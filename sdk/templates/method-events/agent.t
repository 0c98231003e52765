#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile

run '' Target
is 'the program ends well' $status 0
has 'and does its work' 'sum 505'
has 'calls of three threads' '@name@: 1000 0 Target.work(int)'
has 'recursive calls' '@name@: 6 0 Target.depth(int)'
has 'calls that end by an exception' '@name@: 3 3 Target.fails(int)'
has 'methods of an inner class' '@name@: 2 0 Target$Worker.run()'
unlike 'the class library is left out' '@name@: .* java\.'

run 'include=*.depth*,top=1' Target
has 'a pattern for methods' '@name@: 6 0 Target.depth(int)'
unlike 'leaves out the others' 'Target.work'
done_testing
