#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Whole programs: each one under programs/ has to print byte for byte what the JDK's
# own VM prints, and to end with the same exit code.  See --help.

usage()
{
    cat <<'EOF'
usage: programs.t [OPTION...]
  --filter GLOB    only programs whose AREA/NAME matches (may be repeated)
  --skip GLOB      without these (may be repeated)
  --jdk DIR        the JDK to run on and to compare with (default: JDK17)
  --java CMD       test this launcher instead of the built minivm
  --vm-arg ARG     pass ARG to the tested VM, not to the oracle (may be repeated)
  --jobs N         programs at a time (default 2)
  --time-factor N  multiply every time limit (default 1)
  --check-oracle   run each program on the JDK's VM twice, and once with -Xint, and
                   compare these; minivm is not needed
  --list           print the names and stop
  --keep           keep the directories of failing runs

A program is AREA/NAME.java with a main method, or a folder AREA/NAME that holds
NAME.java.  In a folder, later/*.java are compiled after the rest and over it, or a
script named "build" does everything (it sees JAVAC, CC, JDK17, SRC, OUT).  AREA/NAME.c
becomes libNAME.so.  Comments at the top of a program:
  // args: ...     arguments, quoted as for the shell
  // vm: ...       options for the VM
  // stdin: ...    standard input, with printf escapes
  // exit: N       the exit code, if not 0
  // stderr: yes   compare the standard error, too
  // timeout: N    seconds, if not 120
  // todo: ...     a known gap: failing is expected
  // since: N      the first release of the JDK that can compile or run it
  // until: N      the last one
Each run starts in an empty directory, which is also java.io.tmpdir.
EOF
}

die()
{
    echo "Bail out! $*"
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
sources=$here/programs
top_builddir=${top_builddir:-$PWD}
work=${PROGRAMS_WORK:-$top_builddir/minivm/test/programs.work}
classes=$work/classes

# header KEY FILE: the values of "// KEY: value" in the first lines of FILE, joined.
header()
{
    sed -n "1,12s|^// $1: *||p" "$2" | tr '\n' ' ' | sed 's/ $//'
}

main_file()
{
    if [ -d "$sources/$1" ]; then
        echo "$sources/$1/${1##*/}.java"
    else
        echo "$sources/$1.java"
    fi
}

# key ID: changes whenever the program, its companions or the oracle change.
key()
{
    {
        echo layout 2
        cat "$JDK17/release"
        if [ -d "$sources/$1" ]; then
            find "$sources/$1" -type f | LC_ALL=C sort | while read -r f; do
                echo "$f" && cat "$f"
            done
        else
            cat "$sources/$1.java"
            [ ! -f "$sources/$1.c" ] || cat "$sources/$1.c"
        fi
    } | cksum
}

# run ID SIDE JAVA [VM-ARG...]: leaves SIDE.out, .err and .rc in the run directory.
run()
{
    run_id=$1 run_dir=$work/run/$1 run_side=$2 run_java=$3
    shift 3
    file=$(main_file "$run_id")
    limit=$(header timeout "$file")
    limit=$((${limit:-120} * PROGRAMS_TIME_FACTOR))
    [ ! -d "$sources/$run_id" ] || classes=$work/multi/$run_id
    rm -rf "$run_dir/cwd"
    mkdir -p "$run_dir/cwd"
    name=${run_id##*/}
    eval "set -- \"\$@\" $(header vm "$file" | sed "s|@CLASSES@|$classes|g") \
        -cp '$classes' '-Djava.library.path=$classes' -Djava.io.tmpdir=. \
        $name $(header args "$file")"
    printf '%b' "$(header stdin "$file")" > "$run_dir/$run_side.in"
    (
        cd "$run_dir/cwd" || exit 99
        exec timeout -k 5 "$limit" $run_java "$@" < "../$run_side.in" \
            > "../$run_side.out" 2> "../$run_side.err"
    ) 2> /dev/null
    echo $? > "$run_dir/$run_side.rc"
    rm -rf "$run_dir/cwd"
}

# same A B: are the two results equal in what counts?
same()
{
    cmp -s "$1.out" "$2.out" && cmp -s "$1.rc" "$2.rc" &&
        { [ "$(header stderr "$file")" != yes ] || cmp -s "$1.err" "$2.err"; }
}

# explain A B: the first differences, as TAP diagnostics.
explain()
{
    {
        echo "exit code $(cat "$1.rc") instead of $(cat "$2.rc")"
        diff "$2.out" "$1.out" | head -n 12
        if [ "$(header stderr "$file")" = yes ]; then
            diff "$2.err" "$1.err" | head -n 8
        else
            echo "stderr:"
            head -n 8 "$1.err"
        fi
    } | cut -c 1-200 | tr -d '\000' | sed 's/^/#   /'
}

# expect ID: make sure that the oracle's result is there and as its header says.
expect()
{
    file=$(main_file "$1")
    expected=$work/expected/$1
    now=$(key "$1")
    if [ "$(cat "$expected.key" 2> /dev/null)" != "$now" ]; then
        run "$1" oracle "$JDK17/bin/java"
        mkdir -p "${expected%/*}"
        for part in out err rc; do
            mv "$work/run/$1/oracle.$part" "$expected.$part"
        done
        wanted=$(header exit "$file")
        if [ "$(cat "$expected.rc")" != "${wanted:-0}" ]; then
            return 1
        fi
        echo "$now" > "$expected.key"
    fi
    return 0
}

# worker ID: test one program and print its result with one write.
worker()
{
    id=$1
    todo=$(header todo "$(main_file "$id")")
    directive=${todo:+ # TODO $todo}
    if ! expect "$id"; then
        echo "not ok - $id
#   the oracle's exit code is $(cat "$expected.rc")
$(head -n 8 "$expected.err" | sed 's/^/#   /')"
        return
    fi
    if [ -n "$PROGRAMS_CHECK_ORACLE" ]; then
        run "$id" again "$JDK17/bin/java"
        run "$id" xint "$JDK17/bin/java" -Xint
        for side in again xint; do
            if ! same "$work/run/$id/$side" "$expected"; then
                echo "not ok - $id ($side)
$(explain "$work/run/$id/$side" "$expected")"
                return
            fi
        done
        echo "ok - $id"
        rm -rf "$work/run/$id"
        return
    fi
    eval "run \"\$id\" minivm \"\$PROGRAMS_JAVA\" $PROGRAMS_VM_ARGS"
    if same "$work/run/$id/minivm" "$expected"; then
        echo "ok - $id$directive"
    else
        echo "not ok - $id$directive
$(explain "$work/run/$id/minivm" "$expected")"
        [ -z "$PROGRAMS_KEEP" ] || return
    fi
    rm -rf "$work/run/$id"
}

if [ "$1" = --worker ]; then
    worker "$2"
    exit 0
fi

filters= skips= jobs=2 list=
PROGRAMS_JAVA= PROGRAMS_VM_ARGS= PROGRAMS_TIME_FACTOR=1 PROGRAMS_CHECK_ORACLE=
PROGRAMS_KEEP=
while [ $# -gt 0 ]; do
    case $1 in
    --filter) filters="$filters $2"; shift ;;
    --skip) skips="$skips $2"; shift ;;
    --jdk) JDK17=$2; shift ;;
    --java) PROGRAMS_JAVA=$2; shift ;;
    --vm-arg) PROGRAMS_VM_ARGS="$PROGRAMS_VM_ARGS '$2'"; shift ;;
    --jobs) jobs=$2; shift ;;
    --time-factor) PROGRAMS_TIME_FACTOR=$2; shift ;;
    --check-oracle) PROGRAMS_CHECK_ORACLE=yes ;;
    --keep) PROGRAMS_KEEP=yes ;;
    --list) list=yes ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done

matches()
{
    matched_id=$1
    shift
    for glob in "$@"; do
        case $matched_id in
        $glob) return 0 ;;
        esac
    done
    return 1
}

# suits ID: can the JDK compile and run it?
suits()
{
    suits_file=$(main_file "$1")
    since=$(header since "$suits_file")
    until=$(header until "$suits_file")
    [ "${since:-0}" -le "$release" ] && [ "$release" -le "${until:-9999}" ]
}

selected()
{
    cd "$sources" || exit 1
    for entry in */*; do
        case $entry in
        *.java) id=${entry%.java} ;;
        *) [ -d "$entry" ] || continue; id=$entry ;;
        esac
        set -f
        if { [ -z "$filters" ] || matches "$id" $filters; } &&
            ! matches "$id" $skips && suits "$id"; then
            echo "$id"
        fi
        set +f
    done
}

if [ -z "$JDK17" ]; then
    JDK17=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
fi
[ -x "$JDK17/bin/javac" ] || die "no JDK: set JDK17 to the one to compare with"
release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$JDK17/release")
ids=$(selected)
if [ -n "$list" ]; then
    echo "$ids"
    exit 0
fi
[ -n "$ids" ] || die "no program matches"
# What was compiled for one release stays apart from that for another.
if [ "$release" != 17 ]; then
    work=$top_builddir/minivm/test/programs-on-$release.work
    classes=$work/classes
fi
PROGRAMS_WORK=$work JAVA_HOME=$JDK17
export PROGRAMS_WORK JAVA_HOME
CC=${CC:-cc}
if [ -z "$PROGRAMS_JAVA" ] && [ -z "$PROGRAMS_CHECK_ORACLE" ]; then
    PROGRAMS_JAVA=$top_builddir/minivm/minivm
    [ -x "$PROGRAMS_JAVA" ] || die "$PROGRAMS_JAVA is not built"
fi

unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH LD_LIBRARY_PATH
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ JDK17 CC top_builddir
export PROGRAMS_JAVA PROGRAMS_VM_ARGS PROGRAMS_TIME_FACTOR PROGRAMS_CHECK_ORACLE
export PROGRAMS_KEEP

# suiting PATTERN: those of the files that belong to programs which suit the JDK.
suiting()
{
    for suiting_file in $1; do
        suits_id=${suiting_file#"$sources"/}
        [ -e "$suiting_file" ] && suits "${suits_id%.*}" && echo "$suiting_file"
    done
}

# build_all: one javac for all single files, one build for each folder.
build_all()
{
    compile="$JDK17/bin/javac -g -encoding UTF-8 -nowarn -proc:none -XDignore.symbol.file -Xlint:none"
    stamp=$(cat "$sources"/*/*.java "$JDK17/release" | cksum)
    if [ "$(cat "$classes/stamp" 2> /dev/null)" != "$stamp" ]; then
        rm -rf "$classes.new"
        mkdir -p "$classes.new"
        $compile -d "$classes.new" $(suiting "$sources/*/*.java") >&2 || return 1
        echo "$stamp" > "$classes.new/stamp"
        rm -rf "$classes"
        mv "$classes.new" "$classes"
    fi
    for c in "$sources"/*/*.c; do
        lib=$classes/lib$(basename "$c" .c).so
        if [ -f "$c" ] && [ ! "$lib" -nt "$c" ]; then
            $CC -shared -fPIC -I"$JDK17/include" -I"$JDK17/include/linux" \
                -o "$lib" "$c" >&2 || return 1
        fi
    done
    for dir in "$sources"/*/*/; do
        [ -d "$dir" ] || continue
        dir=${dir%/}
        id=${dir#"$sources"/}
        suits "$id" || continue
        out=$work/multi/$id
        stamp=$(key "$id")
        [ "$(cat "$out.stamp" 2> /dev/null)" != "$stamp" ] || continue
        rm -rf "$out"
        mkdir -p "$out"
        if [ -f "$dir/build" ]; then
            JAVAC=$compile SRC=$dir OUT=$out sh -e "$dir/build" >&2 || return 1
        else
            $compile -d "$out" "$dir"/*.java >&2 || return 1
            if [ -d "$dir/later" ]; then
                $compile -cp "$out" -d "$out" "$dir"/later/*.java >&2 || return 1
            fi
        fi
        echo "$stamp" > "$out.stamp"
    done
}

build_all || die "the programs do not compile"
echo "1..$(echo "$ids" | wc -l)"
echo "$ids" | xargs -n 1 -P "$jobs" sh "$here/programs.t" --worker
