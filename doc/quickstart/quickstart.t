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
# The script itself, in a tree whose steps take no time.
steps=$work/steps
rm -rf "$steps" && mkdir -p "$steps/build-aux" "$steps/doc/quickstart"
cp "$top_srcdir/quickstart" "$steps"
printf '#!/bin/sh\necho chatter\n[ "$1" != tests ]\n' >"$steps/build-aux/install-packages"
printf '#!/bin/sh\necho chatter\nprintf "all:\\n\\t@echo chatter\\n" >Makefile\n' \
    >"$steps/configure"
printf '#!/bin/sh\necho the result\n' >"$steps/doc/quickstart/run"
chmod +x "$steps/build-aux/install-packages" "$steps/configure" "$steps/doc/quickstart/run"
quiet()
{
    (unset MAKEFLAGS MFLAGS MAKELEVEL; "$steps/quickstart") >"$work/out" 2>&1 &&
        ! grep -q chatter "$work/out" && [ "$(grep -c ' [0-9]* s' "$work/out")" = 4 ] &&
        grep -q 'compare with .* s, failed$' "$work/out" &&
        [ "$(tail -n 1 "$work/out")" = "the result" ] &&
        [ "$(grep -c chatter "$steps/quickstart.log")" = 4 ]
}
check "quickstart says a line for each step, and the rest in its log" quiet
failing()
{
    rm "$steps/Makefile" && printf '#!/bin/sh\necho broken\nexit 1\n' >"$steps/configure"
    ! "$steps/quickstart" >"$work/out" 2>&1 && grep -q '^broken$' "$work/out" &&
        grep -q 'machine .* s, failed$' "$work/out" && ! grep -q 'the result' "$work/out"
}
check "a step that fails ends it, and says why" failing
echo "1..$count"
