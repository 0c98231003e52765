# SPDX-License-Identifier: MIT
# What marks a lab: `tiforge lab check` and `tiforge mark` read this file, a lab's
# t/mark.sh uses its functions.
#
# A lab's t/mark.sh has two functions.  `inputs` writes Java programs that differ by seed
# into the current folder and keeps what has to come out (keep); it runs once for all
# submissions.  `judge` runs the agent of one submission (run, run_checked) and compares
# (criterion, same, has, lacks, matches).  Both are ours and trusted; what the submission
# has written is built and run by confine only.  So no submission sees what is expected,
# and what it leaves behind is text in files, which is made harmless before it is shown.
#
# Variables from the caller: tiforge's data, lib and minivm; lab_dir; box, the folder of
# one submission; inputs, that of the prepared programs; vm; marker_uid.
course=$data/course
confine=${TIFORGE_CONFINE:-$lib/tiforge/course/confine}
marking= hidden_places=
course_layer=$lib/tiforge/check/libtiforge-check.so

. "$course/runs.sh"
. "$course/verdicts.sh"

# ---- Labs ----

# The folder of lab N, of its number or its name.
find_lab() # N
{
    case $1 in
    [1-9]|[1-9][0-9]) wanted_number=$(printf %02d "$1") ;;
    [0-9][0-9]) wanted_number=$1 ;;
    *) wanted_number=none ;;
    esac
    for lab_dir in "$course"/labs/*; do
        case ${lab_dir##*/} in
        "$wanted_number"-*|"$1") [ -f "$lab_dir/about" ] && return 0 ;;
        esac
    done
    fail "there is no lab '$1'; tiforge lab list shows them"
}

# A field of the lab's file `about`, which has lines "name: value".
lab_field() # NAME
{
    sed -n "s/^$1: *//p" "$lab_dir/about"
}

lab_number()
{
    lab_digits=${lab_dir##*/}
    lab_digits=${lab_digits%%-*}
    echo "${lab_digits#0}"
}

# The points of all criteria.
lab_points()
{
    awk -F'|' '!/^#/ && NF > 2 { sum += $2 } END { print sum + 0 }' "$lab_dir/criteria"
}

# ---- Inputs that differ by seed ----

# A number from 0 to N - 1 in $r; the same for the same seed with every shell.
random() # N
{
    seed=$(((seed * 1103515245 + 12345) & 2147483647))
    r=$((seed / 65536 % $1))
}

# A number from LOW to HIGH in $r.
between() # LOW HIGH
{
    random $(($2 - $1 + 1))
    r=$((r + $1))
}

# A name that no other call gives, such as Kolimu31, in $r.
new_name() # FIRST-LETTER
{
    name_count=$((${name_count:-10} + 1))
    new_name=$1
    for new_part in 1 2 3; do
        random 5
        new_name=$new_name$(echo a e i o u | cut -d' ' -f $((r + 1)))
        random 8
        [ $new_part = 3 ] || new_name=$new_name$(echo k l m n p r s t | cut -d' ' -f $((r + 1)))
    done
    r=$new_name$name_count
}

# Keep a value for judge, as a variable of that name.
keep() # NAME VALUE
{
    printf "%s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")" >>"$inputs/kept"
}

# The number of the line with a mark.
line_of() # FILE MARK
{
    grep -n "// $2\$" "$1" | sed 's/:.*//'
}

# For inputs: a class whose line number tables are not to be in order, but turned round
# (reverse), or with the second half first (rotate).
order_lines() # reverse|rotate CLASS
{
    say "$2.class" >>"$inputs/$1"
}

# Make the programs of a lab in DIR/classes.  Trusted, so not confined.
prepare_inputs() # SEED DIR
{
    inputs=$2
    mkdir -p "$inputs/java" "$inputs/classes" && : >"$inputs/kept" || return 1
    (
        seed=$1 name_count=10
        # The first numbers of neighbouring seeds are alike.
        random 2 && random 2 && random 2
        . "$lab_dir/t/mark.sh"
        cd "$inputs/java" && inputs
    ) || return 1
    [ -n "$(ls "$inputs/java")" ] || return 0
    release=$(lab_field release)
    course_javac=$(find_javac "$release") || return 1
    find "$inputs/java" -name '*.java' >"$inputs/list"
    "$course_javac" -g --release "${release:-11}" -Xlint:-options -d "$inputs/classes" \
        @"$inputs/list" >"$inputs/javac" 2>&1 || { cat "$inputs/javac" >&2; return 1; }
    for order in reverse rotate; do
        [ -s "$inputs/$order" ] || continue
        (cd "$inputs/classes" && xargs "${course_javac%c}" "$course/ReverseLines.java" \
            $order <"$inputs/$order") || return 1
    done
}

# javac of a JDK that is new enough for the release; of the VM's JDK first.
find_javac() # RELEASE
{
    for candidate in "$(dirname "$(command -v "${vm:-java}" || echo x/x)")/javac" \
        "$JAVAC" "${JAVA_HOME:-/none}/bin/javac" "$(command -v javac)" /usr/lib/jvm/*/bin/javac
    do
        [ -n "$candidate" ] && [ -x "$candidate" ] || continue
        have=$("$candidate" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
        [ "${have:-0}" -ge "${1:-11}" ] || continue
        say "$candidate"
        return 0
    done
    say "tiforge: no javac of JDK ${1:-11} or later was found" >&2
    return 1
}

# ---- One submission ----

# Unpacks an archive into the scratch folder, which is small and goes with the run, and
# puts what counts of it into $2: regular files with plain names below a folder src.
take_sources='
    case $1 in
    *.zip) unzip -q -o "$1" -d "$TMPDIR/all" ;;
    /*) mkdir "$TMPDIR/all" && tar -xf "$1" -C "$TMPDIR/all" --no-same-owner \
        --no-same-permissions ;;
    esac || exit 1
    found=$(find "$TMPDIR/all" -type d -name src | head -n 1)
    [ -n "$found" ] || exit 3
    cd "$found" && find . -maxdepth 1 -type f -size -1024k -name "[A-Za-z0-9]*.[ch]" \
        ! -name "*[!A-Za-z0-9_.-]*" | head -n 64 | while read -r file; do
            cp "$file" "$2"
        done'

# Put the sources of a project or an archive into $box/seen/src: regular files with plain
# names, at most 64 of at most 1 MB.
unpack() # PROJECT
{
    mkdir -p "$box/seen/src" "$box/seen/build" "$box/log" "$box/scratch" || return 1
    if [ -f "$1" ]; then
        archive=$box/seen/archive
        case $1 in
        *.zip) archive=$archive.zip ;;
        esac
        own "$box/seen/src" && cp "$1" "$archive" && chmod a+r "$archive" || return 1
        confined --write "$box/seen/src" --cpu 30 --env LC_ALL=C -- \
            sh -c "$take_sources" - "$archive" "$box/seen/src" || return 1
        rm -f "$archive"
        case $ended in
        'exit 0') ;;
        'exit 3') say "there is no folder src" >"$box/log/err"; return 1 ;;
        *) say "the archive cannot be read" >"$box/log/err"; return 1 ;;
        esac
    else
        [ -d "$1/src" ] || { say "there is no folder src" >"$box/log/err"; return 1; }
        (cd "$1/src" && LC_ALL=C find . -maxdepth 1 -type f -size -1024k \
            -name '[A-Za-z0-9]*.[ch]' ! -name '*[!A-Za-z0-9_.-]*' | head -n 64 |
            while read -r file; do
                cp -P "$file" "$box/seen/src"
            done)
    fi
    [ -z "$marker_uid" ] || chown -R 0:0 "$box/seen/src"
    chmod -R u+rwX,go+rX,go-w "$box/seen/src"
}

# Give a folder to the user for whom submissions run.
own() # DIR
{
    [ -z "$marker_uid" ] || chown -R "$marker_uid" "$1"
}

# Mark one submission: the verdicts are in $box/verdicts.
mark_submission() # PROJECT
{
    : >"$box/verdicts"
    runs_lost=0
    if unpack "$1" && own "$box/seen/build" && cp -R "$inputs/classes" "$box/seen" &&
        chmod -R go+rX "$box/seen/classes" && build_for_lab; then
        . "$inputs/kept"
        . "$lab_dir/t/mark.sh"
        judge
    else
        criterion build
        record 1 "it builds" "a library" "$(head -n 5 "$box/log/err" 2>/dev/null)"
    fi
    rm -rf "$box/seen" "$box/scratch"
}

# Labs inside the VM build something else than an agent.
build_for_lab()
{
    case $(lab_field kind) in
    vm) build_vm_submission ;;
    *) build_submission ;;
    esac
}

# The points: "ID|POINTS|OF|TITLE|READ" for each criterion, then "total|POINTS|OF".  A
# criterion has its points if it has verdicts and all are good.
count_points()
{
    awk -F'|' '
        FILENAME ~ /verdicts$/ {
            split($0, part, "\t")
            seen[part[1]] = 1
            if (part[2] != "ok")
                bad[part[1]] = 1
            next
        }
        /^#/ || NF < 3 { next }
        {
            got = (seen[$1] && !bad[$1]) ? $2 : 0
            print $1 "|" got "|" $2 "|" $3 "|" $4
            sum += got
            of += $2
        }
        END { print "total|" sum + 0 "|" of }' "$box/verdicts" "$lab_dir/criteria"
}

# The bad verdicts of a criterion, for people.  Where the program itself did not end well
# the others say no more than that.
explain_lost() # ID READ
{
    awk -F'\t' -v id="$1" -v read="$2" '
        $1 == "load" && $2 != "ok" && id != "load" { see_load = 1 }
        $1 == id { seen = 1 }
        $1 == id && see_load { next }
        $1 == id && $2 != "ok" && shown++ < 3 {
            print "             " $3
            print "               expected: " $4
            print "               came:     " $5
        }
        END {
            if (!seen)
                print "             it was not reached"
            else if (see_load)
                print "             see load: the program did not end well"
            if (read != "")
                print "             read: " read
        }' "$box/verdicts"
}

# Remove the folder of a marking, whatever is in it.
remove_marking()
{
    [ -z "$marking" ] || rm -rf "$marking"
}

# One more folder or file that submissions shall not see.  No name with a line's end: the
# list has a path in each line.
hide_path() # PATH
{
    case $1 in
    *"
"*) fail "cannot hide '$1': its name has more than one line" ;;
    esac
    hidden_places="$hidden_places$1
"
}

# Places where a submission could find what is not its own, or somebody to talk to: home
# folders with keys and solutions, temporary files, sockets of the system and of sessions,
# terminals.  One that has parts of the kit or the VM below it has to stay.
hide_system()
{
    for place in "${HOME:-/root}" /root /run /tmp /var/tmp /dev/shm /dev/pts; do
        place=$(readlink -f "$place") && [ -d "$place" ] && [ "$place" != / ] || continue
        for needed in "$data" "$lib" "$minivm" "$vm" "$(readlink -f "$vm")" "$confine" \
            "${JAVA_HOME:-/}" "$(readlink -f "${JAVA_HOME:-/}")"; do
            case $needed in
            "$place"/*) place= && break ;;
            esac
        done
        [ -z "$place" ] || say "$place"
    done
}

is_number() # TEXT
{
    case $1 in
    ''|*[!0-9]*|??????????*) return 1 ;;
    esac
}

# Why the lab cannot be done with this VM, or nothing.
lab_skipped()
{
    wants=$(lab_field vm)
    [ -n "$wants" ] || return 0
    has=$("$vm" -version 2>&1 </dev/null | sed -n 's/.*version "\([0-9]*\).*/\1/p' |
        head -n 1)
    [ "${has:-0}" -ge "$wants" ] ||
        say "lab $(lab_number) wants a VM of JDK $wants or later; '$vm' is of ${has:-none}"
}

# Can the VM run within the limits as they are set?
vm_runs()
{
    { printf '%s' "$hidden_places"; [ -z "$1" ] || hide_system; } >"$marking/hidden"
    marker_uid=$2
    confined ${JAVA_HOME:+--env JAVA_HOME="$JAVA_HOME"} -- "$vm" $vm_options -version
    [ "$ended" = "exit 0" ]
}

# A folder for a marking in $marking, and the user for submissions in $marker_uid: another
# one where we are root and that user can run the VM, so that the limit of processes holds.
# What the system has to be hidden is, if the VM runs without it.
start_marking() # SLOT
{
    [ -x "$confine" ] || fail "there is no '$confine'"
    marking=$(mktemp -d "${TMPDIR:-/tmp}/tiforge-mark.XXXXXX") || exit 2
    chmod 711 "$marking"
    box=$marking/probe
    mkdir -p "$box/log" "$box/seen" "$box/scratch"
    other_user=
    [ "$(id -u)" != 0 ] || other_user=64500
    vm_runs system "$other_user" || vm_runs '' "$other_user" ||
        { [ -n "$other_user" ] && { vm_runs system '' || vm_runs '' ''; }; } || {
        sed 's/^/tiforge: /' "$box/log/err" >&2
        remove_marking
        case $ended in
        'exit '*) fail "'$vm' does not run ($ended); JAVA_HOME, whose class library\
 minivm takes, is ${JAVA_HOME:-not set}" ;;
        *) fail "'$vm' does not run within the limits ($ended)" ;;
        esac
    }
    rm -rf "$box"
}
