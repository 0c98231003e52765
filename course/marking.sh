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
hide_options= marking=
course_layer=$lib/tiforge/check/libtiforge-check.so

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

# ---- Confined runs ----

# Run a command within the limits; $ended says how it ended: "exit 0", "signal 11",
# "limit cpu".  The streams are $box/log/out and err.
confined() # CONFINE-OPTION... -- COMMAND...
{
    # Another user than ours may not pass folders that only we may.
    "$confine" --out "$box/log/out" --err "$box/log/err" --status "$box/log/status" \
        --scratch "$box/scratch" --show "$box/seen" --hide "$marking" \
        $hide_options ${marker_uid:+--uid "$marker_uid"} "$@" 2>"$box/log/confine" || {
        sed 's/^/tiforge: /' "$box/log/confine" >&2
        ended="limit start"
        return 1
    }
    read -r how value isolation <"$box/log/status"
    ended="$how $value"
}

# Build the submission's sources into $agent; false if that fails: then $box/log/err says
# why.  The flags are ours: a makefile of the submission would be one more program.
build_submission()
{
    agent=$box/seen/build/liblab.so
    export_paths
    cflags=$(pkg-config --cflags tiforge) && libs=$(pkg-config --libs tiforge) || return 1
    sources=$(cd "$box/seen/src" && ls | grep '\.c$' | sed 's,^,../src/,')
    [ -n "$sources" ] || { say "there is no src/*.c" >"$box/log/err"; return 1; }
    # File names were chosen by unpack: no blanks.
    confined --write "$box/seen/build" --cpu 120 --env LC_ALL=C -- sh -c \
        'cd "$1" && shift && exec "$@"' - "$box/seen/build" \
        ${CC:-cc} -D_GNU_SOURCE -O1 -g -fPIC -Wall -Wextra -fvisibility=hidden \
        $cflags -I"$course/starter" -shared -Wl,-z,defs -Wl,--exclude-libs,ALL \
        -o liblab.so $sources $libs || return 1
    shorten_messages
    cp "$box/log/err" "$box/build"
    [ "$ended" = "exit 0" ] && [ -f "$agent" ] && [ ! -L "$agent" ]
}

# What the compiler said names files as one sees them in the lab's folder.
shorten_messages()
{
    sed "s,$box/seen/src/,src/,g; s,\.\./src/,src/,g" "$box/log/err" >"$box/log/short" &&
        mv "$box/log/short" "$box/log/err"
}

# The options that each JVM gets.
vm_options="-Xmx128m -Xss512k -XX:-UsePerfData"

# The command of a run, as one would give it in the lab's folder after `make`.
note_command() # JAVA-ARGUMENT...
{
    say "$vm $vm_options $agent_option -cp classes $*" |
        sed "s,$box/seen/build/,,g; s,$box/seen/classes/,classes/,g
            s,-agentpath:liblab,-agentpath:./liblab,; s,=liblab,=./liblab," \
            >>"$box/commands"
}

start_vm() # AGENT-OPTION JAVA-ARGUMENT...
{
    agent_option=$1
    shift
    # A submission that could not be built has no runs.
    : >"$box/log/out"
    confined --cpu "${run_cpu:-20}" ${JAVA_HOME:+--env JAVA_HOME="$JAVA_HOME"} -- \
        "$vm" $vm_options "$agent_option" -cp "$box/seen/classes" "$@"
    note_command "$@"
    # \r and other odd characters are the agent's; blanks at the end are nobody's.
    LC_ALL=C tr -d '\r\000' <"$box/log/out" | sed 's/[[:space:]]*$//' >"$box/out"
    LC_ALL=C tr -d '\r\000' <"$box/log/err" >"$box/err"
    case $ended in
    'limit '*) runs_lost=$((${runs_lost:-0} + 1)) ;;
    esac
}

# Run a program with the agent.
run() # OPTIONS CLASS [ARGUMENT...]
{
    run_options=$1
    shift
    start_vm "-agentpath:$agent${run_options:+=$run_options}" "$@"
}

# The same below the checking layer, whose findings go to standard error, too.
run_checked() # OPTIONS CLASS [ARGUMENT...]
{
    run_options=$1
    shift
    start_vm "-agentpath:$course_layer=agent=$agent,options=$run_options" "$@"
}

# ---- Labs inside the VM ----

vm_kit=$lib/tiforge/course/vm

# How a VM is made of the lab's files: $1 is the kit's folder, $2 the folder of sources.
# The objects that they take the place of are removed from a copy of the archive.
make_vm='
    kit=$1 sources=$2
    mkdir -p vm/lib && cp "$kit/minivm" vm && cp "$kit/libvm.a" . || exit 1
    for source in "$sources"/*.c; do
        name=$(basename "$source" .c)
        ${CC:-cc} -D_GNU_SOURCE -O1 -g -fPIC -fvisibility=hidden -Wall \
            -Werror=implicit-function-declaration -I"$kit/include/sdk" \
            -I"$kit/include/minivm" -c -o "$name.o" "$source" &&
            ar d libvm.a "$name.o" || exit 1
    done
    ${CC:-cc} -shared -Wl,-z,defs -Wl,-soname,libjvm.so -o vm/lib/libjvm.so ./*.o \
        -Wl,--whole-archive libvm.a -Wl,--no-whole-archive -Wl,--version-script="$kit/libjvm.map" \
        $(cat "$kit/libraries") && rm -f libvm.a'

# The VM with the files of a submission, in $student_vm.  A file of another name than the
# lab's would be one more part of the VM: it is left out.
build_vm_submission()
{
    [ -d "$vm_kit" ] || { say "there is no '$vm_kit'" >"$box/log/err"; return 1; }
    for file in "$box"/seen/src/*; do
        [ -f "$lab_dir/starter/${file##*/}" ] || rm -f "$file"
    done
    for file in "$lab_dir"/starter/*.c; do
        [ -f "$box/seen/src/${file##*/}" ] || cp "$file" "$box/seen/src"
    done
    confined --write "$box/seen/build" --file 256 --cpu 120 --env LC_ALL=C -- sh -c \
        'cd "$1" && sh -c "$2" - "$3" "$4"' - "$box/seen/build" "$make_vm" "$vm_kit" \
        "$box/seen/src" || return 1
    shorten_messages
    cp "$box/log/err" "$box/build"
    student_vm=$box/seen/build/vm/minivm
    [ "$ended" = "exit 0" ] && [ -f "$box/seen/build/vm/lib/libjvm.so" ]
}

# Run a program in the submission's VM, with the lab's own agent.
run_in_student_vm() # AGENT-OPTIONS CLASS [ARGUMENT...]
{
    run_options=$1
    shift
    launcher=$vm vm=$student_vm
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$run_options" "$@"
    vm=$launcher
}

# Ask the conformance kit about the submission's VM: no assertion may fail.
kit_finds_nothing() # NAME FILTER
{
    confined --cpu 300 --processes 1000 ${JAVA_HOME:+--env JAVA_HOME="$JAVA_HOME"} -- \
        "$lib/tiforge/tck/run" --java "$student_vm" --jobs 1 --filter "$2"
    cp "$box/log/out" "$box/out"
    cp "$box/log/err" "$box/err"
    [ "$ended" = "exit 0" ]
    record $? "$1" "no 'not ok' by tiforge tck --java \$PWD/vm/minivm --filter '$2'" \
        "$(grep -a '^not ok' "$box/out" | head -n 4); $(how_ended)"
}

# For inputs: the lab's own agent, and what it says in the VM of the kit.
build_probe()
{
    export_paths
    ${CC:-cc} -D_GNU_SOURCE -O1 -g -fPIC -I"$course/starter" $(pkg-config --cflags tiforge) \
        -shared -o "$inputs/classes/libprobe.so" "$lab_dir/t/probe.c"
}

# ---- Verdicts ----

# Text of a submission in one line: short, and without characters that move a cursor.
harmless() # TEXT
{
    printf '%s' "$1" | head -c 300 | LC_ALL=C tr '\n\t' '; ' | LC_ALL=C tr -c ' -~' '?'
}

# The following verdicts are about this one.
criterion() # ID
{
    criterion=$1
}

record() # STATUS NAME EXPECTED CAME
{
    verdict=ok
    [ "$1" = 0 ] || verdict=not
    printf '%s\t%s\t%s\t%s\t%s\n' "$criterion" "$verdict" "$(harmless "$2")" \
        "$(harmless "$3")" "$(harmless "$4")" >>"$box/verdicts"
    [ $verdict = ok ] || note_complaint
    return 0
}

# What a run whose result was wrong has said on standard error: mostly which call failed,
# or where the VM crashed.  What tiforge check found has criteria of its own.
note_complaint()
{
    [ -s "$box/err" ] || return 0
    grep -av -e '^[[:space:]#]*$' -e '^tiforge check: ' "$box/err" | head -n 6 |
        while IFS= read -r complaint; do
            complaint=$(harmless "$complaint")
            grep -qxF -e "$complaint" "$box/said" 2>/dev/null ||
                say "$complaint" >>"$box/said"
        done
}

# The first lines of it, each once.
show_complaints()
{
    [ -s "$box/said" ] || return 0
    say "On standard error came in runs that lost points:"
    head -n 12 "$box/said" | sed 's/^/    /'
}

# How the run ended, for people.
how_ended()
{
    case $ended in
    'limit cpu') say "it was ended after ${run_cpu:-20} seconds of processor time" ;;
    'limit wall') say 'it was ended after too long a time' ;;
    'limit idle') say 'it was ended: all its threads waited, as in a deadlock' ;;
    'limit output') say 'it was ended: it wrote too much' ;;
    'limit '*) say "it was ended: too much ${ended#limit }" ;;
    signal*) say "it ended by $ended" ;;
    *) say "it ended with $ended" ;;
    esac
}

# What came, for a message: lines that are near to what was wanted, else that there are
# none, and how the output begins, which may be lines of the program.
near() # PATTERN
{
    near=$(grep -aE -e "$1" "$box/out" | head -n 3)
    [ -n "$near" ] || near="no such line; the output begins with: $(head -n 3 "$box/out")"
    [ "$ended" = "exit 0" ] || near="$near ($(how_ended)) $(grep -av '^$' "$box/err" | head -n 2)"
    say "$near"
}

# The same text?  Where nothing came the message has lines that begin alike.
same() # NAME EXPECTED CAME
{
    same_came=$3
    [ -n "$3" ] || [ -z "$2" ] || same_came=$(near "^${2%% *}")
    [ "$2" = "$3" ]
    record $? "$1" "$2" "$same_came"
}

# Is there such a line on standard output?
has() # NAME LINE
{
    grep -aqxF -e "$2" "$box/out"
    record $? "$1" "$2" "$(near "^${2%% *}")"
}

# Does a line match the pattern?  The example is for people.
matches() # NAME PATTERN [EXAMPLE]
{
    grep -aqE -e "$2" "$box/out"
    record $? "$1" "a line such as ${3:-$2}" "$(near "${2%% *}")"
}

# Does no line match?
lacks() # NAME PATTERN [EXAMPLE]
{
    ! grep -aqE -e "$2" "$box/out"
    record $? "$1" "no line such as ${3:-$2}" "$(grep -aE -e "$2" "$box/out" | head -n 2)"
}

# A function of JVM TI that the agent calls, from Agent_OnLoad on: all in the run, by the
# layer's trace in $box/err, which says arguments and result.
run_traced() # FUNCTIONS OPTIONS CLASS [ARGUMENT...]
{
    trace_options="only=,trace=-,filter=$1"
    run_options=$2
    shift 2
    start_vm "-agentpath:$course_layer=agent=$agent,$trace_options,options=$run_options" "$@"
}

# The calls of a function in it, in their order.
calls_of() # FUNCTION [PATTERN]
{
    cat "$box/out" "$box/err" | grep -a -e "$1" | grep -aE -e "${2:-.}"
}

# The lines that match, in their order.
lines() # PATTERN
{
    grep -aE -e "$1" "$box/out"
}

# Did the program do its work, and end well?
works() # NAME LINE
{
    [ "$ended" = "exit 0" ] && grep -aqxF -e "$2" "$box/out"
    record $? "$1" "$2, and exit status 0" "$(how_ended); $(near "^${2%% *}")"
}

# Were no rules broken?  PATTERN is of what differs by seed in the lines that the agent
# prints where it works, right or wrong, so that an agent which does nothing gets nothing
# for it.
keeps_rules() # NAME PATTERN EXAMPLE
{
    broken=$(grep -a '^tiforge check: error: ' "$box/err" | head -n 3)
    if [ "$ended" != "exit 0" ]; then
        broken="not judged: $(how_ended)${broken:+; $broken}"
    elif [ -z "$broken" ] && ! grep -aqE -e "$2" "$box/out"; then
        broken="not judged: the agent wrote no line such as $3"
    fi
    [ -z "$broken" ]
    record $? "$1" "no rule of tiforge check broken, in a run that ends well" "$broken"
}

# ---- One submission ----

# Put the sources of a project or an archive into $box/seen/src: regular files with plain
# names, at most 64 of at most 1 MB.
unpack() # PROJECT
{
    mkdir -p "$box/seen/src" "$box/seen/build" "$box/log" "$box/scratch" || return 1
    project=$1
    if [ -f "$1" ]; then
        mkdir "$box/seen/unpacked" && own "$box/seen/unpacked" || return 1
        cp "$1" "$box/seen/archive" && chmod a+r "$box/seen/archive" || return 1
        case $1 in
        *.zip) set -- unzip -q -o "$box/seen/archive" -d "$box/seen/unpacked" ;;
        *) set -- tar -xf "$box/seen/archive" -C "$box/seen/unpacked" --no-same-owner \
            --no-same-permissions ;;
        esac
        confined --write "$box/seen/unpacked" --cpu 30 -- "$@" || return 1
        [ "$ended" = "exit 0" ] || { say "the archive cannot be read" >"$box/log/err"
            return 1; }
        project=$(find "$box/seen/unpacked" -type d -name src | head -n 1)
        project=${project%/src}
    fi
    [ -d "$project/src" ] || { say "there is no folder src" >"$box/log/err"; return 1; }
    find "$project/src" -maxdepth 1 -type f -size -1024k -name '[A-Za-z0-9]*.[ch]' |
        grep -v '[^A-Za-z0-9_./ -]' | head -n 64 | while read -r file; do
            case ${file##*/} in
            *' '*) ;;
            *) cp -P "$file" "$box/seen/src" ;;
            esac
        done
    chmod -R u+rwX,go+rX "$box/seen/src"
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

# One more folder that submissions shall not see.  No name with a blank: the list is
# split into words.
hide_folder() # DIR
{
    case $1 in
    *[[:space:]]*) fail "cannot hide '$1': its name has a blank" ;;
    esac
    hide_options="$hide_options --hide $1"
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

# A folder for a marking in $marking, and the user for submissions in $marker_uid: another
# one where we are root and that user can run the VM, so that the limit of processes holds.
start_marking() # SLOT
{
    [ -x "$confine" ] || fail "there is no '$confine'"
    marking=$(mktemp -d "${TMPDIR:-/tmp}/tiforge-mark.XXXXXX") || exit 2
    chmod 711 "$marking"
    marker_uid=
    box=$marking/probe
    [ "$(id -u)" != 0 ] || marker_uid=64500
    mkdir -p "$box/log" "$box/seen" "$box/scratch"
    confined -- "$vm" $vm_options -version
    if [ "$ended" != "exit 0" ] && [ -n "$marker_uid" ]; then
        marker_uid=
        confined -- "$vm" $vm_options -version
    fi
    [ "$ended" = "exit 0" ] || {
        sed 's/^/tiforge: /' "$box/log/err" >&2
        remove_marking
        fail "'$vm' does not run within the limits ($ended)"
    }
    rm -rf "$box"
}
