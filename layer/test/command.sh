# SPDX-License-Identifier: MIT
# What the tests of the commands share, which source it with the name of the command in
# $command: a kit in a folder of the test's own, and how a run is judged.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
work=$build/layer/test/$(basename "$0" .t).work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
export JAVA_HOME="$JDK17" TIFORGE_MINIVM="$build/minivm/minivm"
unset JAVA MAKEFLAGS MFLAGS MAKELEVEL
tiforge=$work/kit/bin/tiforge
misuse=$build/layer/test/.libs/libmisuse.so
count=0

top_srcdir=$top top_builddir=$build "$top/sdk/test/stage" "$work/kit" || exit 1
cd "$work" || exit 1
"$JDK17/bin/javac" --release 11 -Xlint:-options -d . "$top/layer/test/Target.java" ||
    exit 1

# point NAME: the last command's status is the verdict.
point()
{
    verdict=$?
    count=$((count + 1))
    [ $verdict = 0 ] || printf 'not '
    echo "ok $count - $1"
    [ $verdict = 0 ] || sed 's/^/# /' out
}

# gives STATUS ARGUMENT...: what the command does ends with that status.
gives()
{
    want=$1
    shift
    timeout 120 "$tiforge" $command "$@" >out 2>&1
    status=$?
    echo "status $status" >>out
    [ $status = "$want" ]
}
says() { grep -qE -e "$1" out; }
