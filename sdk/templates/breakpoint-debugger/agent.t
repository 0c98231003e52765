#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile
line=$(grep -n BREAK "$here/Target.java" | sed 's/:.*//')

run "at=Target@$line" Target
missing=$(unsupported) && [ $status != 0 ] && skip_all "this VM: $missing"
is 'the program ends well' $status 0
has 'and does its work' 'result 44 5'
like 'the breakpoint is set' "^@name@: breakpoint at Target@$line, location [0-9]+\$"
has 'it is hit by the main thread' '@name@: hit 1 in main'
has 'an int' '@name@:   i = 42'
has 'a long' '@name@:   big = 1234567890123'
has 'a double' '@name@:   ratio = 2.25'
has 'a boolean' '@name@:   yes = true'
has 'a string' '@name@:   text = "some text"'
has 'a float' '@name@:   half = 0.5'
has 'null' '@name@:   nothing = null'
has 'a char, as the number that it is' '@name@:   letter = 65'
has 'an array' '@name@:   array = a int[]'
has 'the frame' "@name@:   at Target.shown(Target.java:$line)"
like 'and its caller' '^@name@:   at Target.main\(Target.java:[0-9]+\)$'
has 'once' '@name@: 1 hits'

run 'at=Target.often,hits=3' Target
has 'a method' '@name@: hit 3 in main'
unlike 'stops after so many hits' 'hit 4'
has 'and the program goes on' 'result 44 5'

run 'at=Target.no_such_method' Target
has 'a method that is not there' '@name@: 0 hits'
run '' Target
like 'a place is wanted' 'where\?' "$work/err"
done_testing
