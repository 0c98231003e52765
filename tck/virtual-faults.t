#!/bin/sh
# SPDX-License-Identifier: MIT
# virtual-faults.t [JAVA]: the assertions of tck/agent/virtual_*.c see what they are about.
# virtual-faults.txt has a fault for each; the injector of the mutations (mutate/mutate.h)
# puts it between the kit and the VM, and the assertion has to fail.  Every assertion of
# these groups is there.  The VM is minivm with JDK 25, unless another is given.
table=$top_srcdir/tck/virtual-faults.txt
if [ -z "$JDK25" ]; then
    echo "1..0 # SKIP no JDK 25 was found"
    exit 0
fi
JAVA_HOME=$JDK25
export JAVA_HOME
java=${1:-$top_builddir/minivm/minivm}
library=$(cd "$top_builddir" && pwd)/tck/.libs/libtckmutate.so
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sed '/^#/d' "$table" >"$work/table"
faults=$(sed 's/.* | //' "$work/table" | sort -u)
echo "1..$(($(wc -l <"$work/table") + 1))"
count=0

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
}

for fault in $faults; do
    awk -F ' [|] ' -v fault="$fault" '$2 == fault { print $1 }' "$work/table" >"$work/ids"
    set --
    while read -r id; do
        set -- "$@" --filter "$id"
    done <"$work/ids"
    rm -f "$work/reached"
    "$top_builddir/tck/run" --java "$java" --timeout 20 --jobs 2 "$@" --agent \
        "$library=fault=$fault,log=$work/reached,group=virtual" >"$work/out" 2>&1
    while read -r id; do
        [ -e "$work/reached" ] && grep -q "^not ok [0-9]* - $id\$" "$work/out"
        point $? "$id notices $fault"
    done <"$work/ids"
done

# What the kit has is what the table has.
"$top_builddir/tck/run" --list | grep -E '\.(virtual-[a-z-]+|not-virtual)$' | sort >"$work/all"
sed 's/ | .*//' "$work/table" | sort >"$work/listed"
comm -23 "$work/all" "$work/listed" >"$work/missing"
sed 's/^/# no fault is known to be noticed by /' "$work/missing"
[ -s "$work/all" ] && [ ! -s "$work/missing" ]
point $? 'every assertion has a fault'
