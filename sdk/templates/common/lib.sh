# SPDX-License-Identifier: @license@
# @copyright@
# What the tests share: they write TAP (https://testanything.org).
#
# From outside: JAVA, the launcher of the VM to test (java); AGENT, the agent's library
# (what the build made); JAVAC (javac), JAVACFLAGS; TIFORGE_TIMEOUT, the seconds that a
# program may take (120).
here=$(cd "$(dirname "$0")" && pwd) || exit 1
if [ -z "$JAVA" ]; then
    JAVA=java
    [ -z "$JAVA_HOME" ] || JAVA=$JAVA_HOME/bin/java
fi
if [ -z "$JAVAC" ]; then
    JAVAC=javac
    [ -z "$JAVA_HOME" ] || JAVAC=$JAVA_HOME/bin/javac
fi
if [ -z "$AGENT" ]; then
    for dir in . build "$here/.." "$here/../build"; do
        for AGENT in "$dir/lib@name@.so" "$dir/.libs/lib@name@.so"; do
            [ ! -f "$AGENT" ] || break 2
        done
    done
fi
AGENT=$(readlink -f "$AGENT") || exit 1
work=$(mktemp -d) || exit 1
bounded=
trap 'rm -rf "$work"' EXIT
trap '[ -z "$bounded" ] || kill -TERM "$bounded" && wait; exit 1' INT TERM
count=0

# Compile the Java programs beside the test.
compile()
{
    "$JAVAC" ${JAVACFLAGS--g --release 11 -Xlint:-options} -d "$work" "$here"/*.java \
        >&2 || exit 1
}

# java_bounded ARGUMENT...: run the launcher; the results are the files $work/out and
# $work/err, and $status.  The test ends when the program does not.
java_bounded()
{
    sh "$here/bounded.sh" "${TIFORGE_TIMEOUT:-120}" "$JAVA" "$@" \
        >"$work/out" 2>"$work/err" &
    bounded=$!
    wait "$bounded"
    status=$?
    bounded=
    if [ "$status" = 124 ]; then
        count=$((count + 1))
        echo "not ok $count - the program ends"
        sed 's/^/# /' "$work/err"
        exit 1
    fi
}

# run OPTIONS ARGUMENT...: run `java ARGUMENT...` with the agent and its options.
run()
{
    options=$1
    shift
    java_bounded "-agentpath:$AGENT${options:+=$options}" -cp "$work" "$@"
}

# ok STATUS NAME: a test point; the output stands below one that failed.
ok()
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/# /' "$work/out" "$work/err"
    fi
}

# is NAME GOT WANT: the same text?
is()
{
    [ "$2" = "$3" ]
    ok $? "$1"
    [ "$2" = "$3" ] || echo "# got '$2', want '$3'"
}

# has NAME LINE: is there such a line on standard output?
has()
{
    grep -qxF -e "$2" "$work/out"
    ok $? "$1"
}

# like NAME PATTERN [FILE]: does a line match the extended regular expression?
like()
{
    grep -qE -e "$2" "${3:-$work/out}"
    ok $? "$1"
}

# unlike NAME PATTERN [FILE]: does none match?
unlike()
{
    ! grep -qE -e "$2" "${3:-$work/out}"
    ok $? "$1"
}

# note TEXT: something for the reader, such as a number that differs between VMs.
note()
{
    echo "# $1"
}

# skip NAME REASON
skip()
{
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# The VM lacks a capability that the agent cannot do without: the agent said so.
unsupported()
{
    grep -E 'does not (offer|have)' "$work/out" "$work/err" | head -n 1 |
        sed 's/^[^:]*://' | grep .
}

skip_all() # REASON
{
    echo "1..0 # SKIP $1"
    exit 0
}

done_testing()
{
    echo "1..$count"
}
