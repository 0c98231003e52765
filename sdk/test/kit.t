#!/bin/sh
# SPDX-License-Identifier: MIT
# The tiforge command, and two projects that it makes; installcheck makes all of them.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
for tool in readelf pkg-config javac; do
    PATH=$PATH:$JDK17/bin command -v $tool >/dev/null ||
        { echo "1..0 # SKIP no $tool found"; exit 0; }
done
work=$build/sdk/test/kit.work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
export JAVA_HOME="$JDK17" TIFORGE_MINIVM="$build/minivm/minivm"
unset JAVA MAKEFLAGS MFLAGS MAKELEVEL
tiforge=$work/kit/bin/tiforge
count=0

top_srcdir=$top top_builddir=$build "$top/sdk/test/stage" "$work/kit" || exit 1
cd "$work" || exit 1

# point NAME: the last command's status is the verdict.
point()
{
    status=$?
    count=$((count + 1))
    [ $status = 0 ] || printf 'not '
    echo "ok $count - $1"
    [ $status = 0 ] || sed 's/^/# /' out
}

tf() { timeout 500 "$tiforge" "$@" >out 2>&1; }
says() { grep -qE -e "$1" out; }
# fails STATUS PATTERN COMMAND...
fails()
{
    want=$1 pattern=$2
    shift 2
    tf "$@"
    [ $? = "$want" ] && says "$pattern"
}

# -- help --
tf --help && says '^usage: tiforge COMMAND'
point "help"
for command in new build test run doctor explain; do
    tf $command --help && says "^usage: tiforge $command"
    point "help for $command"
done
fails 2 "no command 'nwe'; there are: new" nwe
point "an unknown command"
fails 2 '^usage' 
point "no command"

# -- new --
fails 2 "a name has small letters" new Bad
point "a bad name"
fails 2 "no template 'x'; there are:" new --template x a
point "an unknown template"
fails 2 "no template ''; there are:" new --template '' a
point "an empty one"
fails 2 "--lang is c or c" new --lang d a
point "an unknown language"
fails 2 "no option '--foo'" new --foo a
point "an unknown option"
mkdir full && : >full/file
fails 2 "'full' is there already" new full
point "a folder that is not empty"
tf new --dir "-it's" odd && says "^next: cd '\./-it'\\\\''s' && tiforge test" &&
    [ -f "./-it's/src/agent.c" ]
point "a folder with an odd name"
tf new --dir 'd\back' odd && says "^d\\\\back: an agent in c " &&
    says "^next: cd 'd\\\\back' && tiforge test" && [ -f 'd\back/src/agent.c' ]
point "a folder with a backslash"
fails 2 "no template 'a\\\\b'; there are:" new --template 'a\b' a
point "an unknown template with one"
fails 2 'no .*\*/ or new line' new --author 'A */' x
point "an author who ends the comment"
tf new --license Apache-2.0 --author 'A. Uthor <a@example.org>' --dir licensed x-y &&
    [ "$(head -n 2 licensed/src/agent.c)" = \
        "/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright (C) $(date +%Y) A. Uthor <a@example.org> */" ]
point "license and author"
tf new --license none --dir free x && ! grep -rq 'SPDX\|@[a-z]*@' free
point "no license, and nothing left to fill in"

# -- projects --
mkdir 'a jdk' && ln -s "$JDK17/bin" 'a jdk/bin'
tf new --template minimal hello && JAVA_HOME="$work/a jdk" tf test hello &&
    says '^minivm: 10 passed, 0 failed' && says '^HotSpot 17.*: 10 passed, 0 failed' &&
    ! says '^differs'
point "a project in C, on both VMs"
tf new --template class-transformer --lang c++ counter && tf test --vm minivm counter &&
    says '^minivm: 10 passed, 0 failed' && ! says HotSpot
point "a project in C++, on minivm only"
(cd hello && PKG_CONFIG_PATH=$work/kit/lib/pkgconfig make -s check) >out 2>&1 &&
    says '^ok 1 -'
point "make check without the command"

cp -R hello both
cat >both/t/agent.t <<'END'
case $JAVA in */minivm) echo "ok 1 - a"; echo "ok 2 - only here" ;;
*) echo "not ok 1 - a"; echo "# why" ;; esac
echo "ok - # SKIP this"
case $JAVA in */minivm) echo 1..3 ;; *) echo 1..2 ;; esac
END
fails 1 '^differs: agent.t: a \(minivm: ok, HotSpot 17.*: not ok\)$' test both &&
    says '^differs: agent.t: only here \(only on minivm\)$' && says '# why' &&
    says '^minivm: 2 passed, 0 failed, 1 skipped'
point "a difference is shown"
echo 'echo ok 1 - a; echo 1..2' >both/t/agent.t
fails 1 'not ok - agent.t: ended early' test --vm minivm both
point "a test that ends early has failed"

# An agent that hangs, with a process of its own that left its session.
cp -R hello hang && rm -f hang/*.so
cat >hang/src/agent.c <<'END'
#include <jvmti.h>
#include <unistd.h>

__attribute__((noinline)) static void
hang_here(void)
{
    for (volatile int i = 0; i >= 0;)
        pause();
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    if (fork() == 0) {
        setsid();
        execlp("sleep", "sleep", "98765", (char *)NULL);
    }
    hang_here();
    sleep(1);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .VMInit = on_vm_init };
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return JNI_OK;
}
END
# No compiler, which a busy machine may need the ten seconds for.
cat >hang/t/agent.t <<'END'
#!/bin/sh
. "$(dirname "$0")/lib.sh"
run '' -version
ok $status 'the agent comes to its end'
done_testing
END
none_left() { ! grep -lsz '^98765$' /proc/[0-9]*/cmdline; }
fails 1 'timed out after 10 s' test --vm minivm --timeout 10 hang && none_left &&
    says 'Full thread dump' && says 'hang_here' && says 'on_vm_init' &&
    says 'java.lang.ref.Reference.waitForReferencePendingList'
point "an agent that hangs, on minivm"
fails 1 'timed out after 10 s' test --vm "$JDK17/bin/java" --timeout 10 hang && none_left &&
    says 'Full thread dump' &&
    { ! command -v gdb eu-stack >/dev/null || says 'hang_here'; }
point "an agent that hangs, on HotSpot"
(cd hang && PKG_CONFIG_PATH=$work/kit/lib/pkgconfig JAVA=$TIFORGE_MINIVM TIFORGE_TIMEOUT=10 \
    timeout 100 make -s check) >out 2>&1
[ $? = 2 ] && none_left && says 'timed out after 10 s' && says 'hang_here'
point "an agent that hangs, in make check"
timeout -s INT -k 60 6 "$tiforge" test --vm minivm hang >out 2>&1
[ $? = 124 ] && none_left
point "an interrupt ends what runs"
cat >hang/t/agent.t <<'END'
setsid sleep 98765 &
echo "ok 1 - before"
sleep 98765
END
fails 1 'not ok - agent.t: timed out after 2 s' test --vm minivm --timeout 2 hang &&
    none_left
point "a test that hangs"
printf 'setsid sleep 98765 &\necho "ok 1 - a"; echo 1..1\n' >hang/t/agent.t
tf test --vm minivm hang && says '^minivm: 1 passed' && none_left
point "a test that leaves a process"
fails 2 "wants a number of seconds, not '1x'" test --timeout 1x hello
point "a timeout that is no number"

echo 'int x = y;' >both/src/agent.c
fails 2 "'both' does not build" test both
point "a project that does not build"
fails 2 "there is no folder 'nowhere'" test nowhere
point "a project that is not there"
fails 2 "'/no/java' is no launcher of a VM" test --vm /no/java hello &&
    fails 2 "there is no launcher '/no/java'" run --vm /no/java hello/libhello.so
point "a launcher that is not there"

# -- run --
tf run hello/libhello.so=greeting=hi -- -version && says '^hello: hi from .*minivm'
point "run under minivm"
tf run --vm "$JDK17/bin/java" hello/libhello.so -- -version && says '^hello: hello from OpenJDK'
point "run under java"
cp hello/libhello.so ./-x.so && tf run -x.so=greeting=hi -- -version &&
    says '^hello: hi from .*minivm'
point "run a library whose name begins with a dash"
mkdir -p y=z && cp hello/libhello.so y=z/
(cd y=z && tf run libhello.so=greeting=hi -- -version; cp out ..) &&
    says '^hello: hi from .*minivm'
point "run one in a folder whose name has a ="
cp hello/libhello.so a=b.so
fails 2 "takes what follows the first = for options: rename 'a=b.so'" run a=b.so
point "run one whose own name has it"
fails 2 "there is no agent 'nothing'" run nothing -- -version
point "run without an agent"

# -- doctor --
library() # NAME FLAGS... <SOURCE
{
    name=$1
    shift
    ${CC:-cc} -shared -fPIC -o "$name" "$@" -xc - 2>out
}
good='int Agent_OnLoad(void *v, char *o, void *r) { return 0; }
int Agent_OnAttach(void *v, char *o, void *r) { return 0; }'
tf doctor hello/libhello.so counter/libcounter.so && ! says 'error|warning' &&
    says 'Agent_OnLoad is there' && says 'needs the GNU C library [0-9.]+ or later'
point "doctor finds nothing in our own"
echo 'int x;' | library libnone.so
fails 1 'neither Agent_OnLoad nor Agent_OnAttach' doctor libnone.so
point "no entry points"
echo 'int Agent_OnLoad(void *v, char *o, void *r) { return 0; }' | library libload.so
tf doctor libload.so && says 'warning: no Agent_OnAttach'
point "no Agent_OnAttach"
echo "$good" | library libhidden.so -fvisibility=hidden
fails 1 'Agent_OnLoad is hidden: declare it JNIEXPORT' doctor libhidden.so
point "hidden entry points"
echo 'struct JavaVM_; int Agent_OnLoad(JavaVM_ *v, char *o, void *r) { return 0; }' |
    ${CXX:-c++} -shared -fPIC -o libmangled.so -xc++ - 2>out
sed 's/int Agent/namespace n { &/; s/$/ }/' >named.cc <<'END'
struct JavaVM_; int Agent_OnLoad(JavaVM_ *v, char *o, void *r) { return 0; }
END
${CXX:-c++} -shared -fPIC -o libnamed.so named.cc
fails 1 'Agent_OnLoad has a C\+\+ name' doctor libmangled.so &&
    fails 1 'Agent_OnLoad has a C\+\+ name' doctor libnamed.so
point "C++ names"
echo 'int other(void) { return 1; }' | library libother.so
echo "$good int other(void); int f(void) { return other(); }" |
    library libneeds.so -Wl,--no-as-needed -L. -lother
mv libother.so elsewhere.so
fails 1 'the library libother.so is not to be found' doctor libneeds.so
point "a missing library"
echo "$good int nowhere(void); int f(void) { return nowhere(); }" | library libundef.so
fails 1 'the symbol nowhere is undefined' doctor libundef.so
point "an undefined symbol"
echo "$good" | library libstack.so -Wl,-z,execstack
tf doctor libstack.so && says 'warning: wants an executable stack'
point "an executable stack"
printf '%s\n' "$good"' __asm__(".text\n.globl t\nt: .quad Agent_OnLoad\n");' |
    library libtext.so -Wl,-z,notext
fails 1 'has text relocations' doctor libtext.so
point "text relocations"
fails 1 'needs the GNU C library [0-9.]+ for' doctor --glibc 2.2 hello/libhello.so
point "a C library that is too old"
tf doctor --glibc 9.9 hello/libhello.so
point "one that is new enough"
echo "$good" | sed 's/(/_part(/' | library libpart.so
fails 1 'Agent_OnLoad_\.\.\. is for an agent that is linked into' doctor libpart.so
point "entry points for static linking only"
head -c 3000 libpart.so >libcut.so
fails 1 'is damaged' doctor libcut.so
point "a library that is cut off"
tf doctor "$JDK17/lib/libinstrument.so" && ! says 'error|warning' &&
    says 'functions of the VM that are private .*: [1-9]' && tf doctor "$JDK17/lib/libjdwp.so" &&
    ! says error && says 'no Agent_OnAttach'
point "the JDK's own agents are well"
fails 1 'is no ELF file' doctor "$tiforge" && fails 1 'is a program' doctor /bin/sh &&
    fails 1 'cannot be read' doctor nothing.so
point "no libraries at all"

# -- tck --
fails 2 "there is no '.*/tiforge/tck/run'" tck --list && fails 2 'there is no' tck --help
point "a kit without the conformance kit says so"

# -- explain --
tf explain GetStackTrace && says '^GetStackTrace: Stack Frame, function 104' &&
    says '^  Phases +live$' && says 'NULL is the current thread'
point "explain a function"
tf explain vm_init && says 'JVMTI_EVENT_VM_INIT \(50\)' && says 'for all threads only'
point "an event"
tf explain JVMTI_ERROR_OPAQUE_FRAME && says 'error 32' && says 'GetLocalObject'
point "an error"
tf explain CAN_POP_FRAME && says '^  Functions +PopFrame$'
point "a capability"
tf explain 100 && says 'JVMTI_ERROR_NULL_POINTER' && says 'function 100'
point "a number may be several things"
tf explain GarbageCollectionStart && says 'Post the work'
point "advice"
fails 1 "nothing is called 'Stack'" explain Stack && says 'there are: .*GetStackTrace'
point "what is nearly the name"

# -- completion --
bash -c ". $top/sdk/install/tiforge.bash; PATH=$work/kit/bin:\$PATH
    COMP_WORDS=(tiforge new --template heap) COMP_CWORD=3; _tiforge
    echo \"\${COMPREPLY[@]}\"" >out 2>&1 && says '^heap-walker$'
point "completion knows the templates"
echo "1..$count"
