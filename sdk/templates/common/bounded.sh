# SPDX-License-Identifier: @license@
# @copyright@
# sh bounded.sh SECONDS COMMAND...: run a command and leave no process of it behind.
#
# The status is the command's.  When it takes longer, what its JVMs do goes to standard
# error, the stacks of C and of Java, and the status is 124.  Processes are found by a
# variable in their environment, so also those that left their parent and their session.
# One that runs inside another and could not end before it has no limit of its own: two
# that expire together would each disturb what the other asks of the JVMs.
limit=$1
shift
mark=TIFORGE_BOUNDED_$$
child= watch=

members()
{
    grep -lsz "^$mark=" /proc/[0-9]*/environ | sed 's,^/proc/\([0-9]*\)/.*,\1,'
}

# Is a process in the middle of an exec?  It shows neither arguments nor environment
# then; unlike a thread of the kernel it has a program.
one_begins()
{
    files=$(grep -Lsz . /proc/[0-9]*/cmdline | sed 's,cmdline$,exe,')
    [ -n "$files" ] && [ -n "$(readlink $files 2>/dev/null)" ]
}

# Two looks in a row, since one may have begun between the look at the members and the
# other.  A foreign process that hides its arguments for good does not hold this up.
any_left()
{
    clean=0 looks=0
    while [ $clean -lt 2 ] && [ $looks -lt 100 ]; do
        [ -z "$(members)" ] || return 0
        clean=$((clean + 1))
        looks=$((looks + 1))
        ! one_begins || clean=0
    done
    return 1
}

# Until there are none: one may start another meanwhile.
kill_members()
{
    tries=0
    while any_left && [ $tries -lt 50 ]; do
        kill -KILL $(members) 2>/dev/null
        [ -z "$child" ] || kill -s KILL -- "-$child" 2>/dev/null
        sleep 0.1
        tries=$((tries + 1))
    done
}

# Does the limit, in whole seconds, end before that of a bounded.sh around this one?  If
# so, those inside see it.
ends_first()
{
    case $limit in
    ''|*[!0-9]*) return 0 ;;
    esac
    end=$(($(date +%s) + limit))
    [ "$end" -lt "${TIFORGE_BOUNDED_END:-$((end + 1))}" ] || return 1
    export TIFORGE_BOUNDED_END="$end"
}

# The watch is a group of its own, as soon as setsid runs.
stop_watch()
{
    [ -n "$watch" ] || return
    tries=0
    while ! kill -s KILL -- "-$watch" 2>/dev/null && [ $tries -lt 200 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    kill -s KILL "$watch" 2>/dev/null
    wait "$watch" 2>/dev/null
    watch=
}

# Does the process have a handler for the signals of a mask of the lower 16 bits?
handles() # PID MASK
{
    caught=$(sed -n 's/^SigCgt:.*\(....\)$/\1/p' "/proc/$1/status" 2>/dev/null)
    [ -n "$caught" ] && [ $((0x$caught & $2)) -ne 0 ]
}

# What a file has got since it had so many bytes.
print_since() # FILE SIZE
{
    [ -f "$1" ] || return
    tail -c "+$(($2 + 1))" "$1" 2>/dev/null | head -n 400
}

size_of() # FILE
{
    if [ -f "$1" ]; then
        stat -Lc %s "$1" 2>/dev/null
    else
        echo 0
    fi
}

# SIGQUIT: every JVM prints its Java stacks on standard output.
dump_java() # PID
{
    handles "$1" 4 ||
        { echo "process $1 is not so far that it could tell its Java stacks"; return; }
    out=/proc/$1/fd/1
    size=$(size_of "$out")
    kill -QUIT "$1" 2>/dev/null
    tries=0
    while [ $tries -lt 20 ]; do
        sleep 0.1
        ! print_since "$out" "$size" | grep -q '^JNI global ref' || break
        tries=$((tries + 1))
    done
    print_since "$out" "$size"
}

# SIGABRT: minivm's report has the stacks of C and Java of all threads; of others a
# debugger knows those of C.
dump_c() # PID
{
    if grep -qs 'minivm/.*libjvm\.so' "/proc/$1/maps" && handles "$1" 32; then
        folder=$(readlink "/proc/$1/cwd")
        kill -ABRT "$1" 2>/dev/null
        tries=0
        while [ -e "/proc/$1/exe" ] && [ $tries -lt 150 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        for log in "$folder/tiforge_err_pid$1.log" "/tmp/tiforge_err_pid$1.log"; do
            [ -f "$log" ] || continue
            sed -n '/^--- All threads/,/^--- Process/p' "$log"
            rm -f "$log"
        done
    elif command -v gdb >/dev/null; then
        timeout -k 5 60 gdb -p "$1" -nx -batch -ex 'thread apply all backtrace 30' \
            </dev/null 2>/dev/null | grep -E '^(Thread|#)'
    elif command -v eu-stack >/dev/null; then
        timeout -k 5 60 eu-stack -n 30 -p "$1"
    else
        echo "no gdb and no eu-stack: the stacks of C stay unknown"
    fi
}

expire()
{
    trap '' ALRM
    watch=
    {
        echo "timed out after $limit s: $command"
        for pid in $(members); do
            grep -qs '/libjvm\.so' "/proc/$pid/maps" || continue
            echo "process $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
            dump_java "$pid"
            dump_c "$pid"
        done
    } >&2
    # Shells remove what they made.
    pids=$(members)
    [ -z "$pids" ] || kill -TERM $pids 2>/dev/null
    sleep 0.3
    kill_members
    exit 124
}

stop() # STATUS
{
    trap '' INT TERM HUP ALRM
    stop_watch
    pids=$(members)
    [ -z "$pids" ] || kill -TERM $pids 2>/dev/null
    sleep 0.1
    kill_members
    exit "$1"
}

command=$*
trap 'expire' ALRM
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
ends_first
limited=$?
# A shell lets what runs in its background ignore these.
env --default-signal=INT --default-signal=QUIT "$mark=1" setsid "$@" &
child=$!
if [ $limited = 0 ]; then
    setsid sh -c 'sleep "$1"; kill -ALRM "$2"' - "$limit" $$ >/dev/null 2>&1 &
    watch=$!
fi
wait "$child"
status=$?
trap '' ALRM
stop_watch
if any_left; then
    kill_members
    echo "killed what the command left running: $command" >&2
fi
exit $status
