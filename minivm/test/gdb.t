#!/bin/sh
# SPDX-License-Identifier: MIT
#
# minivm/gdb/minivm-gdb.py: Java frames, names and strings in gdb, in a process that stands
# at a breakpoint and in the core file of a crash.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top_srcdir=$(cd "$here/../.." && pwd)
work=$top_builddir/minivm/test/gdb.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
script=$top_srcdir/minivm/gdb/minivm-gdb.py
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8
export LC_ALL

gdb -batch -ex 'python print("ready")' 2>&1 | grep -q '^ready' ||
    { echo "1..0 # SKIP there is no gdb with Python"; exit 0; }
gdb -q -batch -ex 'set debuginfod enabled off' -ex run --args /bin/true 2>&1 |
    grep -q 'exited normally' || { echo "1..0 # SKIP gdb must not run programs here"; exit 0; }
gdb -q -batch -ex 'set debuginfod enabled off' -ex 'ptype struct vm' \
    "$top_builddir/minivm/lib/libjvm.so" 2>&1 | grep -q profile ||
    { echo "1..0 # SKIP the VM has no debug information"; exit 0; }
# Its runtime must be loaded before the launcher, which gdb's shell would not do.
[ -z "$SANITIZER_RUNTIME" ] || { echo "1..0 # SKIP a build with sanitizers"; exit 0; }

count=0
report() # RC NAME [FILE]
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ -z "$3" ] || sed 's/^/#   /' "$3" | cut -c 1-200 | tail -n 60
    fi
}

# says FILE WHAT PATTERN...: the file has lines for the extended regular expressions, in
# their order.
says()
{
    file=$1 what=$2 rc=0 from=1
    shift 2
    for pattern; do
        found=$(sed -n "$from,\$p" "$file" | grep -nE -m 1 -- "$pattern" | cut -d: -f1)
        [ -n "$found" ] || { echo "# no $pattern"; rc=1; break; }
        from=$((from + found))
    done
    report $rc "$what" "$file"
}

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
cp "$here/gdb/Stacks.java" .
"$home/bin/javac" -g -d . Stacks.java 2>javac.log &&
    ${CC:-cc} -shared -fPIC -g -I"$home/include" -I"$home/include/linux" \
        -o libstacks.so "$here/gdb/stacks.c" 2>cc.log ||
    { cat javac.log cc.log; echo "Bail out! the program does not build"; exit 1; }

cat >commands <<END
set pagination off
set confirm off
set breakpoint pending on
set debuginfod enabled off
set auto-solib-add on
handle SIGSEGV SIGUSR1 SIGUSR2 nostop noprint pass
source $script
break Java_Stacks_here
run
printf "== javabt\n"
javabt
printf "== all\n"
javabt all
printf "== objects\n"
javaobj text
javaobj numbers
javaobj wide
javaobj klass
print the_vm->known.classes[KNOWN_CLASS_String]
print the_vm->known.methods[KNOWN_METHOD_System_initPhase1]
print the_vm->main_group
printf "== event\n"
delete
break send_MethodEntry
continue
javabt
kill
END
timeout -k 5 300 gdb -q -batch -x commands --args "$home/bin/java" \
    -XXaltjvm="$top_builddir/minivm/lib" -agentpath:./libstacks.so -Xmx32m \
    -cp . Stacks >out 2>&1

line() # TEXT: the line of Stacks.java that has it
{
    grep -n "$1" Stacks.java | cut -d: -f1
}
part() # NAME: what was printed after "== NAME"
{
    sed -n "/^== $1\$/,/^== /p" out >"part.$1"
}

part javabt
says part.javabt "the frames of a thread in a native method" '"main", LWP [0-9]+, in native' \
    '^ #0 +Stacks.here\(native\)' \
    "^ #1 +Stacks.inner\(Stacks.java:$(line '// inner'), bci [0-9]+\)" \
    '^ +-- called from C --' \
    "^ #[0-9]+ +Stacks.main\(Stacks.java:$(line '// main'), bci [0-9]+\)"
part all
says part.all "the frames of another thread" '"waiter", LWP [0-9]+, blocked' \
    '^ #0 +java.lang.Object.wait0?\(native\)' \
    "Stacks.await\(Stacks.java:$(line '// wait'), bci"
part objects
says part.objects "strings, arrays and classes behind JNI references" '^"some text"$' \
    '^\[I of 3$' '^"Ωmega"$' '^java.lang.Class$'
says part.objects "names behind pointers" '= 0x[0-9a-f]+ java.lang.String$' \
    '= 0x[0-9a-f]+ java.lang.System.initPhase1\(\)V$' \
    '= 0x[0-9a-f]+ java.lang.ThreadGroup$'
part event
says part.event "a function of the VM in an event" \
    "^ #0 +Stacks.watched\(Stacks.java:[0-9]+, bci 0\)" \
    "^ #1 +Stacks.main\(Stacks.java:$(line '// watched'), bci"

# The kernel's core, if it writes one here: gdb's own has all reserved memory, too.
ulimit -c unlimited
STACKS_CRASH=1 "$home/bin/java" -XXaltjvm="$top_builddir/minivm/lib" \
    -agentpath:./libstacks.so -Xmx32m -XX:ErrorFile=crash.log -cp . Stacks >crash.out 2>&1
core=$(ls | grep '^core' | head -n 1)
if [ -z "$core" ]; then
    count=$((count + 1))
    echo "ok $count - the core file of a crash # SKIP there is none here"
else
    timeout -k 5 300 gdb -q -batch -ex 'set debuginfod enabled off' -x "$script" \
        -ex 'javabt all' "$home/bin/java" "$core" >core.out 2>&1
    rm -f "$core"
    says core.out "the core file of a crash" '"main", LWP' '^ #0 +Stacks.here\(native\)' \
        "^ #1 +Stacks.inner\(Stacks.java:$(line '// inner'), bci [0-9]+\)" \
        '"waiter", LWP [0-9]+, blocked' '^ #0 +java.lang.Object.wait0?\(native\)'
fi
echo "1..$count"
