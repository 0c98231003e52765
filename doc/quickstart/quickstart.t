#!/bin/sh
# SPDX-License-Identifier: MIT
# What ./quickstart shows, on minivm and on the JDK's own VM.
here=${top_srcdir:?}/doc/quickstart
work=${top_builddir:?}/doc/quickstart/work
mkdir -p "$work"
cat >"$work/words.expected" <<END
a        3
is       1
machine  3
runs     1
that     1
virtual  1
END

count=0
check() # NAME COMMAND...
{
    name=$1
    count=$((count + 1))
    shift
    if "$@" >"$work/diagnostics" 2>&1; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        sed 's/^/# /' "$work/diagnostics" "$work/out"
    fi
}

for java in minivm "$JDK17/bin/java"; do
    vm=${java##*/}
    [ "$vm" = minivm ] && java=$top_builddir/minivm/minivm
    "$here/run" "$java" >"$work/out" 2>&1
    check "$vm exits with 0" test $? = 0
    grep -v -e '^agent: ' -e '^\$ ' "$work/out" >"$work/words"
    check "$vm prints the words" diff "$work/words.expected" "$work/words"
    check "the agent sees a class on $vm" \
        grep -x 'agent: class LWords; is prepared' "$work/out"
    check "the agent sums up on $vm" \
        grep -xE 'agent: [0-9]+ threads started, [0-9]{3,} classes were prepared' \
        "$work/out"
done
echo "1..$count"
