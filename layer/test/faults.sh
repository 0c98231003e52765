# SPDX-License-Identifier: MIT
# What the tests of faults share, which source it: a sample agent under the checking
# layer, one of whose calls fails.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
work=$build/layer/test/$(basename "$0" .t).work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
cd "$work" || exit 1
"$JDK17/bin/javac" --release 11 -Xlint:-options -d . "$top/layer/test/Target.java" ||
    exit 1
layer=$build/layer/.libs/libtiforge-check.so
count=0

run() # AGENT OPTIONS SETTING
{
    timeout 120 "$build/minivm/minivm" \
        "-agentpath:$layer=agent=$build/agents/$1/.libs/lib$1.so,watchdog=60,$3,options=$2" \
        -cp . Target >out 2>err </dev/null
    status=$?
}

# The program may be refused (1), but not crash or hang, and no rule is broken.
survives() # AGENT OPTIONS FUNCTION ERROR
{
    run "$1" "$2" "fault=$3:$4:1"
    count=$((count + 1))
    if [ $status -le 1 ] && ! grep -qE '^tiforge check: (error|warning)' err; then
        echo "ok $count - $1: $3 fails with $4"
    else
        echo "not ok $count - $1: $3 fails with $4"
        echo "# status $status"
        sed 's/^/# /' err | head -n 30
    fi
}
