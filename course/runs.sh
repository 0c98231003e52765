# SPDX-License-Identifier: MIT
# Confined runs: how the marking (marking.sh) builds and runs what a submission has
# written.  Nothing of it runs in any other way.

# Run a command within the limits; $ended says how it ended: "exit 0", "signal 11",
# "limit cpu".  The streams are $box/log/out and err.
confined() # CONFINE-OPTION... -- COMMAND...
{
    # Another user than ours may not pass folders that only we may.
    "$confine" --out "$box/log/out" --err "$box/log/err" --status "$box/log/status" \
        --scratch "$box/scratch" --show "$box/seen" --hide "$marking" \
        --hide-list "$marking/hidden" ${marker_uid:+--uid "$marker_uid"} "$@" 2>"$box/log/confine" || {
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
    # File names were chosen by unpack: no blanks.
    sources=$(cd "$box/seen/src" && ls | grep '\.c$' | sed 's,^,../src/,')
    [ -n "$sources" ] || { say "there is no src/*.c" >"$box/log/err"; return 1; }
    compile_agent -o liblab.so $sources || return 1
    shorten_messages
    cp "$box/log/err" "$box/build"
    [ "$ended" = "exit 0" ] && [ -f "$agent" ] && [ ! -L "$agent" ]
}

compile_agent() # OPTION... SOURCE...
{
    confined --write "$box/seen/build" --cpu 120 --env LC_ALL=C -- sh -c \
        'cd "$1" && shift && exec "$@"' - "$box/seen/build" \
        ${CC:-cc} -D_GNU_SOURCE -O1 -g -fPIC -Wall -Wextra -fvisibility=hidden \
        $cflags -I"$course/starter" -shared -Wl,-z,defs -Wl,--exclude-libs,ALL "$@" $libs
}

# Build it again with each access to memory watched (accesses.c), into $watched_agent.
# Only the submission's sources are to be watched, so accesses.c is compiled by itself.
build_watched()
{
    watched_agent=$box/seen/build/libwatched.so
    [ ! -f "$watched_agent" ] || return 0
    compile_agent -c -o accesses.o "$course/accesses.c" && [ "$ended" = "exit 0" ] || return 1
    set --
    for source in $sources; do
        compile_agent -fsanitize=thread -c -o "${source##*/}.o" "$source" || return 1
        set -- "$@" "${source##*/}.o"
    done
    compile_agent -o libwatched.so "$@" accesses.o && [ "$ended" = "exit 0" ]
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

show_files='files=$1
    shift
    "$@"
    status=$?
    for file in $files; do
        echo "== $file"
        head -c 400000 "$file"
    done 2>/dev/null
    exit $status'

start_vm() # AGENT-OPTION JAVA-ARGUMENT...
{
    agent_option=$1
    shift
    # A submission that could not be built has no runs.
    : >"$box/log/out"
    # The scratch folder goes with the run: what the agent has written there comes behind
    # the program's output, each file behind a line "== NAME".
    confined --cpu "${run_cpu:-20}" ${JAVA_HOME:+--env JAVA_HOME="$JAVA_HOME"} -- \
        ${run_files:+sh -c "$show_files" - "$run_files"} \
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

# The same with each access to memory of the agent watched, so that threads which are in
# front of the same memory at the same time are told about on standard error.
run_watched() # OPTIONS CLASS [ARGUMENT...]
{
    run_options=$1
    shift
    build_watched || { ended="limit start"; return 0; }
    start_vm "-agentpath:$watched_agent${run_options:+=$run_options}" "$@"
}

# ---- Labs inside the VM ----

vm_kit=$lib/tiforge/course/vm

# How a VM is made of the lab's files: $1 is the kit's folder, $2 the folder of sources.
# The objects that they take the place of are removed from a copy of the archive.  The
# marking gives sources of its own for the VM, and options for files and for the whole.
make_vm='
    kit=$1 sources=$2 more=$3 compiling=$4 linking=$5
    mkdir -p vm/lib && cp "$kit/minivm" vm && cp "$kit/libvm.a" . || exit 1
    compile()
    {
        ${CC:-cc} -D_GNU_SOURCE -O1 -g -fPIC -fvisibility=hidden -Wall \
            -Werror=implicit-function-declaration -I"$kit/include/sdk" \
            -I"$kit/include/minivm" -c "$@"
    }
    for source in "$sources"/*.c; do
        name=$(basename "$source" .c)
        compile $compiling -o "$name.o" "$source" && ar d libvm.a "$name.o" || exit 1
    done
    for source in $more; do
        compile -o "more-$(basename "$source" .c).o" "$source" || exit 1
    done
    ${CC:-cc} -shared -Wl,-z,defs -Wl,-soname,libjvm.so -o vm/lib/libjvm.so ./*.o \
        -Wl,--whole-archive libvm.a -Wl,--no-whole-archive -Wl,--version-script="$kit/libjvm.map" \
        $linking $(cat "$kit/libraries") && rm -f libvm.a'

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
    more=$(ls "$lab_dir/t/watch.c" 2>/dev/null)
    compiling=$(lab_field compile)
    [ -z "$compiling" ] || more="$more $course/accesses.c"
    confined --write "$box/seen/build" --file 256 --cpu 120 --env LC_ALL=C -- sh -c \
        'cd "$1" && shift && exec sh -c "$@"' - "$box/seen/build" "$make_vm" - "$vm_kit" \
        "$box/seen/src" "$more" "$compiling" "$(lab_field link)" || return 1
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

