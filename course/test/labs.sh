# SPDX-License-Identifier: MIT
# What the tests of the labs share: submissions made of a lab's folder, and what they
# have to get.  A wrong solution is a sed script for the reference solution, or a C file;
# its first line says "# loses CRITERION...: what is wrong" or "/* loses ...".
top=$(cd "${top_srcdir:?}" && pwd) build=$(cd "${top_builddir:?}" && pwd)
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
command -v pkg-config >/dev/null || { echo "1..0 # SKIP no pkg-config found"; exit 0; }
unset JAVA MAKEFLAGS MFLAGS MAKELEVEL
export JAVA_HOME="$JDK17" TIFORGE_MINIVM="$build/minivm/minivm"
count=0

# stage_course NAME: an empty folder for the test in $work, with the kit in it.
stage_course()
{
    work=$build/course/test/$1.work
    rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
    top_srcdir=$top top_builddir=$build "$top/sdk/test/stage" "$work/kit" || exit 1
    # Labs inside the VM want more of a kit than `stage` gives.
    mkdir -p "$work/kit/lib/tiforge/tck"
    cp "$build/tck/run" "$build/tck/.libs/libtck.so" "$build/tck/.libs/libtckmutate.so" \
        "$work/kit/lib/tiforge/tck" && cp -R "$build/tck/classes" "$work/kit/lib/tiforge/tck"
    "$top/course/vm-kit" "$top" "$build" "$work/kit/lib/tiforge/course/vm" || exit 1
    tiforge=$work/kit/bin/tiforge
    cd "$work" || exit 1
}

# point STATUS NAME [FILE]: a test point; the file stands below one that failed.
point()
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || { [ -z "$3" ] || head -n 60 "$3" | sed 's/^/# /'; }
}

lab_folder() # N
{
    echo "$top"/course/labs/"$(printf %02d "$1")"-*
}

# What a submission without work of its own consists of.
new_submission() # N DIR
{
    mkdir -p "$2/src" && echo "lab: $1" >"$2/.tiforge-lab" || return 1
    case $(sed -n 's/^kind: *//p' "$(lab_folder "$1")/about") in
    vm)
        for file in $(sed -n 's/^takes: *\([^ ]*\).*/\1/p' "$(lab_folder "$1")/about"); do
            cp "$top/$file" "$2/src"
        done ;;
    *) cp "$(lab_folder "$1")"/solution/* "$2/src" ;;
    esac
}

# reference, starter and wrong-NAME of a lab, in folders of DIR.
make_submissions() # N DIR
{
    lab=$(lab_folder "$1")
    new_submission "$1" "$2/reference"
    new_submission "$1" "$2/starter"
    rm -f "$2"/starter/src/*
    cp "$work"/kit/share/tiforge/course/labs/"${lab##*/}"/starter/* "$2/starter/src"
    for wrong in "$lab"/wrong/*; do
        name=${wrong##*/}
        new_submission "$1" "$2/wrong-${name%.*}"
        case $name in
        *.sed)
            for file in "$2/wrong-${name%.*}"/src/*.c; do
                sed -i -f "$wrong" "$file"
            done ;;
        *.c) cp "$wrong" "$2/wrong-${name%.*}/src/agent.c" ;;
        esac
    done
}

# The criteria that a wrong solution loses, sorted.
losses() # FILE
{
    sed -n '1s,^[#/* ]*loses \([^:]*\):.*,\1,p' "$1" | tr ' ' '\n' | sort
}

# The criteria that a submission lost, by a line of the table.
lost_in() # CSV-LINE
{
    say_line=$(printf '%s' "$1" | sed 's/.*,"\(.*\)"$/\1/')
    for part in $say_line; do
        id=${part%%=*} points=${part#*=}
        [ "${points%/*}" = "${points#*/}" ] || echo "$id"
    done | sort
}

# Mark submissions of DIR and compare with what they deserve.
judge_submissions() # N DIR VM-NAME VM PATTERN
{
    lab=$(lab_folder "$1")
    title="lab $1 on $3"
    # shellcheck disable=SC2086
    (cd "$2" && timeout 3000 "$tiforge" mark --vm "$4" --jobs "${COURSE_JOBS:-2}" \
        --seed "${COURSE_SEED:-4711}" --csv "$work/points.csv" --html "$work/points.html" \
        $5) >"$work/out" 2>&1
    [ $? = 0 ] || { point 1 "$title: marked" "$work/out"; return; }
    for submission in $(cd "$2" && echo $5); do
        line=$(grep "^\"$submission\"," "$work/points.csv")
        points=$(printf '%s' "$line" | cut -d, -f3)
        number=$(grep -n "^\"$submission\"," "$work/points.csv" | cut -d: -f1)
        sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' \
            "$work/points-pages/$((number - 1)).html" | sed -n '/^criterion/,$p' >"$work/page"
        case $submission in
        reference)
            [ "$points" = 100 ]
            point $? "$title: the reference solution has all points" "$work/page" ;;
        starter)
            [ "$points" -le 10 ]
            point $? "$title: the starter has at most 10 ($points)" "$work/page" ;;
        *)
            wrong=$(ls "$lab/wrong/${submission#wrong-}".*)
            [ "$(lost_in "$line")" = "$(losses "$wrong")" ]
            point $? "$title: ${submission#wrong-} loses $(losses "$wrong" | tr '\n' ' ')(lost:\
 $(lost_in "$line" | tr '\n' ' '))" "$work/page" ;;
        esac
    done
}
