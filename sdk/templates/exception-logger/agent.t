#!/bin/sh
# SPDX-License-Identifier: @license@
# @copyright@
. "$(dirname "$0")/lib.sh"
compile
line() { grep -n "// $1" "$here/Target.java" | sed 's/:.*//'; }
throw=$(line THROW) divide=$(line DIVIDE)

run 'include=Target*:java.lang.Arithmetic*' Target
is 'the program ends well' $status 0
has 'and does its work' 'counter 6'
like 'where it is thrown and caught' \
    "^@name@: Target\\\$Own at Target\.fails\(Target\.java:$throw\), caught at Target\.main\(Target\.java:[0-9]+\)\$"
like 'a finally block catches, too' \
    "^@name@: Target\\\$Own at .*, caught at Target\.middle\(Target\.java:[0-9]+\)\$"
like 'an exception of the VM' \
    "^@name@: java\.lang\.ArithmeticException at Target\.divide\(Target\.java:$divide\), caught"
has 'one that nobody catches' \
    "@name@: Target\$Own at Target.fails(Target.java:$throw), not caught"
# Thrown four times, and once again by the finally block.
has 'the sum of them' '@name@: 5 1 Target$Own'
has 'of each class' '@name@: 1 0 java.lang.ArithmeticException'

run 'which=uncaught,include=Target*' Target
has 'uncaught ones only' '@name@: 1 1 Target$Own'
run 'limit=0,include=Target*' Target
unlike 'no lines at all' 'caught at'
has 'but the sum' '@name@: 5 1 Target$Own'
done_testing
