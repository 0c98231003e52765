# SPDX-License-Identifier: MIT
# What the tests of the tracer share.
top=${top_srcdir:?} build=$(cd "${top_builddir:?}" && pwd)
here=$top/agents/tracer/test
work=$build/agents/tracer/$(basename "$0" .t).work
agent=$build/agents/tracer/.libs/libtracer.so
count=0
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8
export LC_ALL

rm -rf "$work" && mkdir -p "$work/classes" &&
    "$JDK17/bin/javac" -g -d "$work/classes" "$here"/*.java \
        "$top/agents/test/Names.java" && cd "$work" || exit 1

# point STATUS NAME [FILE...]: the files are shown when it is bad.
point()
{
    count=$((count + 1))
    point_name=$2
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $vm: $point_name"
    [ "$1" = 0 ] && return
    shift 2
    head -n 40 "$@" </dev/null | cut -c 1-200 | sed 's/^/#   /'
}

skip()
{
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# use NAME JAVA: which VM is tested.  A library with a sanitizer in it needs the runtime
# under it; minivm's launcher sees to that itself.
use()
{
    vm=$1 java=$2 preload=
    case $java in
    */minivm) ;;
    *) preload=$SANITIZER_RUNTIME ;;
    esac
}

limit=
launch() # OPTIONS ARGUMENT...
{
    launch_options=$1
    shift
    exec $limit env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" \
        "$java" ${launch_options:+"-agentpath:$agent=$launch_options"} -cp classes "$@"
}

# run OPTIONS ARGUMENT...: with the agent; results are out, err and $status.
run()
{
    (limit='timeout -s KILL 300' && launch "$@") >out 2>err
    status=$?
}

# tree FORMAT FILE: as Trace prints it, in `tree` without times and in `all` with them;
# the counts in `counts`.
tree()
{
    "$JDK17/bin/java" -Xshare:auto -XX:TieredStopAtLevel=1 -cp classes Trace "$1" "$2" \
        >all 2>trace.err || { cat trace.err >tree; echo bad >counts; return; }
    sed -e 1d -e 's/ [0-9]*$//' all >tree
    sed 1q all >counts
}

own_time() # METHOD: of the last tree
{
    awk -v method=";$1 " 'index($0, method) { sum += $NF } END { print sum + 0 }' all
}

has() # NAME PATTERN FILE: a line that matches the extended regular expression
{
    grep -qE -e "$2" "$3"
    point $? "$1" "$3"
}
