#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The verifier's verdicts on class files with one random fault each, beside those of
# the JDK's own VM.  VERDICTS_COUNT is the number of files, VERDICTS_SEED makes others.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/verdicts.work
judge=$top_builddir/minivm/test/judge
count=${VERDICTS_COUNT:-600}
seed=${VERDICTS_SEED:-11}

if [ ! -x "$JDK17/bin/javac" ] || [ ! -f "$JDK17/lib/modules" ]; then
    echo "1..0 # SKIP no JDK"
    exit 0
fi
rm -rf "$work" && mkdir -p "$work/classes" "$work/mutants" || exit 1

echo 1..4

# point TEXT: the test point of the last command.
point()
{
    status=$?
    number=$((number + 1))
    if [ $status -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
    fi
}

"$JDK17/bin/javac" -g -d "$work/classes" "$top_srcdir"/minivm/test/verdicts/*.java &&
    "$judge" mutate "$seed" "$count" "$work/mutants" "$work"/classes/Samples*.class &&
    "$JDK17/bin/java" -Xint -Xshare:auto -cp "$work/classes" Verdicts "$work/classes" \
        "$work/mutants" >"$work/theirs" &&
    "$judge" "$JDK17" "$work/classes" "$work/mutants" >"$work/ours"
point "$count mutants are judged"

# What the JVM says of super classes is not the verifier's business, and HotSpot takes
# bytes beyond the last opcode for instructions of its own.
grep -h ' java.lang.IncompatibleClassChangeError' "$work/theirs" |
    cut -d ' ' -f 1 >"$work/left-out"
grep '<illegal>' "$work/ours" | cut -d ' ' -f 1 >>"$work/left-out"
cut -d ' ' -f 1 "$work/theirs" | grep -v -F -f "$work/left-out" >"$work/names"
grep -F -f "$work/names" "$work/theirs" >"$work/theirs.checked"
grep -F -f "$work/names" "$work/ours" >"$work/ours.checked"

# compare TEXT FILTER: the lines that the filter leaves of both are equal.
compare()
{
    $2 <"$work/theirs.checked" >"$work/want"
    $2 <"$work/ours.checked" >"$work/got"
    [ -s "$work/want" ] && diff "$work/want" "$work/got" >"$work/diff"
    point "$1"
    [ $status -eq 0 ] || head -n 20 "$work/diff" | cut -c 1-400 | sed 's/^/# /'
}

errors()
{
    cut -d ' ' -f 1,2
}

accepted()
{
    grep ' OK$'
}

# A fault in a name may show in several methods, and HotSpot has an order of its own for
# them.  It reads on behind a table that is too short.
verify_errors()
{
    grep ' java.lang.VerifyError: ' | grep -v '^[0-9]*-any\|StackMapTable error'
}

compare "each is accepted, or refused with the same error" errors
compare "the accepted ones are the same" accepted
compare "a VerifyError has the same text" verify_errors
