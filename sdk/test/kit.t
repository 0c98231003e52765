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
release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$JDK17/release")
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
fails 2 "no command 'nwe'; there are: new.*; did you mean 'new'\?" nwe
point "an unknown command"
tf help new && says '^usage: tiforge new' && tf help && says '^usage: tiforge COMMAND' &&
    fails 2 "no command 'nwe'" help nwe
point "help for a command, asked for first"
fails 2 '^usage' 
point "no command"

# -- new --
fails 2 "a name begins with a small letter" new Bad
point "a bad name"
fails 2 "no template 'x'; there are:" new --template x a
point "an unknown template"
fails 2 "no template ''; there are:" new --template '' a
point "an empty one"
fails 2 "--lang is c or c" new --lang d a
point "an unknown language"
fails 2 "no option '--foo'" new --foo a && ! says 'did you mean' &&
    fails 2 "no option '--templte'; did you mean '--template'\?" new --templte a &&
    fails 2 "no option '--vmm'; did you mean '--vm'\?" test --vmm &&
    fails 2 "no option '--vn'; did you mean '--vm'\?" run --vn java x &&
    fails 2 "no option '--hepl'; did you mean '--help'\?" build --hepl
point "an unknown option"
fails 2 "no template 'heapwalker'; did you mean 'heap-walker'\? There are:" \
    new --template heapwalker a
point "a template's name that is nearly right"
fails 2 "new: '/dev/null' is no folder" new --dir /dev/null/x/y a
point "a folder that cannot be made"
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
    says '^minivm: 10 passed, 0 failed' && says "^HotSpot $release.*: 10 passed, 0 failed" &&
    ! says '^differs'
point "a project in C, on both VMs"
tf new --template class-transformer --lang c++ counter && tf test --vm minivm counter &&
    says '^minivm: 10 passed, 0 failed' && ! says HotSpot
point "a project in C++, on minivm only"
(cd hello && PKG_CONFIG_PATH=$work/kit/lib/pkgconfig make -s check) >out 2>&1 &&
    says '^ok 1 -'
point "make check without the command"
! (cd hello && make -s PKG_CONFIG=no-pkg-config) >out 2>&1 &&
    says 'no-pkg-config is missing; on Debian: apt-get install pkgconf'
point "pkg-config that is missing is named"

cp -R hello both
cat >both/t/agent.t <<'END'
case $JAVA in */minivm) echo "ok 1 - a"; echo "ok 2 - only here" ;;
*) echo "not ok 1 - a"; echo "# why" ;; esac
echo "ok - # SKIP this"
case $JAVA in */minivm) echo 1..3 ;; *) echo 1..2 ;; esac
END
fails 1 "^differs: agent.t: a \\(minivm: ok, HotSpot $release.*: not ok\\)\$" test both &&
    says '^differs: agent.t: only here \(only on minivm\)$' && says '# why' &&
    says '^minivm: 2 passed, 0 failed, 1 skipped'
point "a difference is shown"
cp -R both twice
cat >twice/t/agent.t <<'END'
case $JAVA in */minivm) echo "ok 1 - a"; echo "ok 2 - a"; echo "ok 3 - a" ;;
*) echo "ok 1 - a"; echo "not ok 2 - a" ;; esac
case $JAVA in */minivm) echo 1..3 ;; *) echo 1..2 ;; esac
END
fails 1 "^differs: agent.t: a \\(minivm: ok, HotSpot $release.*: not ok\\)\$" test twice &&
    says '^differs: agent.t: a \(only on minivm\)$' && [ "$(grep -c '^differs' out)" = 2 ]
point "points of the same name are compared in their order"
rm -r twice
fails 1 'not ok - agent.t: a' test --report r.xml both &&
    python3 -c 'import xml.etree.ElementTree as E, sys
suites = E.parse("r.xml").getroot().findall("testsuite")
one, two = suites
assert one.get("name") == "minivm" and two.get("name").startswith("HotSpot '$release'")
assert [s.get("failures") for s in suites] == ["0", "1"]
assert [s.get("tests") for s in suites] == ["3", "2"]
assert [s.get("skipped") for s in suites] == ["1", "1"]
assert [c.get("name") for c in one.iter("testcase")][1] == "only here"
assert "why" in two.find("testcase/failure").text
assert "only on minivm" in one.find("system-out").text' >>out 2>&1
point "a report in the format of JUnit"
printf 'echo "not ok 1 - <a&b> \\"c\\""; printf "# \\001\\377<&>\\n"; echo 1..1\n' \
    >both/t/agent.t
fails 1 'not ok' test --vm minivm --report r.xml both &&
    python3 -c 'import xml.etree.ElementTree as E
case = E.parse("r.xml").getroot().find("testsuite/testcase")
assert case.get("name") == "<a&b> \"c\"", case.get("name")
assert "<&>" in case.find("failure").text' >>out 2>&1
point "one with characters that XML has not"
fails 2 "a report is a file .xml, not 'r.txt'" test --report r.txt both &&
    fails 2 "there is no folder for 'nowhere/r.xml'" test --report nowhere/r.xml both
point "a report that cannot be"
echo 'echo ok 1 - a; echo 1..2' >both/t/agent.t
fails 1 'not ok - agent.t: ended early' test --vm minivm both
point "a test that ends early has failed"

# The steps of the generated CI file, on a machine without the kit: `git clone` gets a
# repository whose build takes no time.
# Each step has a shell of its own.
steps() { awk '
    function end() { if (open) print ")"; open = inside = 0 }
    /^      - / || /^[^ ]/ { end() }
    sub(/^(      -|       ) run: /, "") {
        print "("
        open = inside = 1
        if ($0 == "|") next
    }
    inside { print }
    END { end() }' hello/.github/workflows/ci.yml; }
mkdir -p source/build-aux stubs ci
printf '#!/bin/sh\nexec "$@"\n' >stubs/sudo
printf '#!/bin/sh\n: >packages\n' >source/build-aux/install-packages
printf '#!/bin/sh\n[ -f packages ] && : >bootstrapped\n' >source/bootstrap
printf '#!/bin/sh\n[ -f bootstrapped ] && [ "$2" = "--with-jdk=$JAVA_HOME" ] && cp made Makefile\n' \
    >source/configure
printf 'all:\n\t:\ninstall:\n\tln -s %s %s\n' "$tiforge" "$work/stubs/tiforge" >source/made
chmod +x stubs/sudo source/build-aux/install-packages source/bootstrap source/configure
(cd source && git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm a) \
    >out 2>&1
cp -R hello ci/project
steps >ci/steps
(cd ci/project && PATH=$work/stubs:$PATH TIFORGE=file://$work/source timeout 500 sh -e ../steps) \
    >out 2>&1 && says '^minivm: 10 passed' && says "^HotSpot $release.*: 10 passed" &&
    says 'Agent_OnLoad is there' && grep -q '<testsuite name="minivm"' ci/project/junit.xml
point "the generated CI file installs the kit and tests the agent"

# Projects that are called as cmake calls its own targets.
if command -v cmake >/dev/null; then
    built=yes
    for name in test install all help; do
        tf new --build cmake --dir "cmake-$name" "$name" && tf build "cmake-$name" &&
            [ -f "cmake-$name/build/lib$name.so" ] || built=no
    done
    [ $built = yes ]
    point "cmake: projects named like its targets"
    mv cmake-test moved && rm moved/build/libtest.so && tf build moved &&
        [ -f moved/build/libtest.so ]
    point "cmake: a project that was moved"
    rm moved/build/libtest.so moved/build/Makefile && tf build moved &&
        [ -f moved/build/libtest.so ]
    point "cmake: a configuration that came to no end"
    sed 's|^tiforge_DIR:PATH=.*|tiforge_DIR:PATH=/gone|' moved/build/CMakeCache.txt >cache
    cp cache moved/build/CMakeCache.txt
    rm moved/build/libtest.so && tf build moved && [ -f moved/build/libtest.so ]
    point "cmake: a kit that is gone"
else
    count=$((count + 1))
    echo "ok $count - cmake # SKIP no cmake found"
fi

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

cp -R hello lacks && rm -f lacks/*.so
sed 's|JVMTI_EVENT_VM_DEATH, 0|JVMTI_EVENT_BREAKPOINT, 0|' hello/src/agent.c \
    >lacks/src/agent.c
cause='^cause: hello: warning: SetEventNotificationMode\(Breakpoint\): '
cause="${cause}JVMTI_ERROR_MUST_POSSESS_CAPABILITY: can_generate_breakpoint_events was"
cause="$cause not added \\(src/agent\\.c:[0-9]+\\)$"
fails 1 "$cause" \
    test --vm minivm lacks && [ "$(grep -c '^cause:' out)" = 1 ] &&
    [ "$(grep -c '^not ok' out)" = 2 ] && says '[0-9]+ more points, which may follow'
point "the cause of failures comes first, and once"
echo 'int x = y;' >both/src/agent.c
fails 2 "'both' does not build" test both
point "a project that does not build"
fails 2 "there is no folder 'nowhere'" test nowhere && ! says 'does not build'
point "a project that is not there"
mkdir -p empty
fails 2 "'empty' has no configure.ac" build empty &&
    fails 1 'error' build both
point "no build file is the caller's mistake, a bad source is not"
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
mkdir -p kit/lib/tiforge/agents && cp hello/libhello.so kit/lib/tiforge/agents/libtracer.so
fails 2 "there is no agent 'nothing' \(installed: tracer\)" run nothing -- -version &&
    fails 2 "there is no agent 'tracr'; did you mean 'tracer'\?" run tracr
point "run without an agent"
fails 2 "there is no file './nosuch.so'$" run ./nosuch.so -- -version &&
    fails 2 "there is no file 'no/x.so', for there is no folder 'no'" run no/x.so &&
    fails 2 "there is no file 'hello/libhelo.so'; did you mean 'hello/libhello.so'\?" \
        run hello/libhelo.so
point "run without a library"
rm -r kit/lib/tiforge/agents

# -- attach --
cat >Waits.java <<'END'
public class Waits {
    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        System.in.read();
    }
}
END
"$JDK17/bin/javac" Waits.java
# attach JAVA OPTIONS: jcmd's answer is in out, what the program printed in program.
attach()
{
    rm -f input && mkfifo input
    "$1" -cp . Waits <input >program 2>&1 &
    waiting=$!
    exec 3>input
    until grep -q ready program || ! kill -0 $waiting 2>/dev/null; do sleep 0.1; done
    timeout 60 "$JDK17/bin/jcmd" $waiting JVMTI.agent_load "$work/hello/libhello.so" "$2" \
        >out 2>&1
    exec 3>&-
    wait $waiting
}
taken=yes
for vm in "$TIFORGE_MINIVM" "$JDK17/bin/java"; do
    attach "$vm" "\"greeting='a=b, c'\"" && grep -q '^hello: a=b, c from' program || taken=no
    attach "$vm" '"greting=a"' && says '^return code: -1$' &&
        grep -q 'unknown option "greting"' program || taken=no
done
[ $taken = yes ]
point "options by jcmd, on both VMs"
attach "$TIFORGE_MINIVM" '"greting=a"'
says '^return code: -1$' && says '^unknown option "greting"; there are: greeting, help'
point "minivm lets jcmd say why the agent refuses"

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
    fails 1 'there is no such file' doctor nothing.so
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
tf explain phase && says '^  live +JVMTI_PHASE_LIVE: [1-9][0-9]+ functions, [1-9]' &&
    says 'tiforge explain live' && tf explain live && says '^JVMTI_PHASE_LIVE: phase live'
point "explain the phases"
# More than a pipe holds, so that the reader is gone before all is written.
many=$(yes GetStackTrace | head -n 60)
{ "$tiforge" explain $many 2>explain.err; } | head -n 1 >explain.out
[ -s explain.out ] && ! grep -q 'nothing is called' explain.err
point "explain to a reader that has seen enough"
tf explain CAN_POP_FRAME && says '^  Functions +PopFrame$'
point "a capability"
tf explain 100 && says 'JVMTI_ERROR_NULL_POINTER' && says 'function 100'
point "a number may be several things"
tf explain GarbageCollectionStart && says 'Post the work'
point "advice"
# Of the table each function and event, and what the page of pitfalls names of it and of JNI.
python3 - "$top" >advised <<'END'
import json, re, sys
top = sys.argv[1]
facts = json.load(open(top + '/sdk/spec/jvmti-21.json'))
names = [f['name'] for kind in ('functions', 'events') for f in facts[kind]]
text = open(top + '/man/jvmti-pitfalls.7').read()
names += [n for n in re.findall(r'^\.Fn (\S+)', text, re.M) if '.' not in n]
print('\n'.join(sorted(set(names))))
END
[ "$(wc -l <advised)" -ge 184 ] && tf explain $(cat advised) &&
    python3 - "$top/sdk/spec/advice.txt" advised out >unadvised <<'END'
import re, sys
advice, names, shown = (open(name).read() for name in sys.argv[1:])
first = dict(re.findall(r'^@(.+)\n(.+)$', advice, re.M))
print('\n'.join(n for n in names.split()
                if n not in first or '  ' + first[n] + '\n' not in shown))
END
[ $? = 0 ] && [ "$(tr -d '\n' <unadvised)" = "" ] || { cp unadvised out; false; }
point "advice for each function and event, and for what jvmti-pitfalls(7) names"
tf explain GetIntArrayElements && says 'JNI function 187' && says 'Often a copy: release it' &&
    tf explain CallVoidMethodA && says 'CallVoidMethodV takes a va_list' &&
    says 'ask ExceptionCheck' && tf explain GetEnv && says 'a new environment each time'
point "functions of JNI"
tf explain jint && says '32 bits' && tf explain jthrowable && says 'compare with IsSameObject' &&
    tf explain jni_edetached && says 'JNI_EDETACHED +-2' && tf explain JVMTI_VISIT_ABORT &&
    says 'JVMTI_VISIT_ABORT +0x8000' && tf explain jvmtiHeapReferenceKind HEAP_REFERENCE_FIELD &&
    says 'JVMTI_HEAP_REFERENCE_FIELD' && tf explain jvmtiThreadInfo && says 'is_daemon' &&
    tf explain jvmtiHeapReferenceCallback && says 'referrer_class_tag'
point "types and constants of JNI and JVM TI"
# Each name that the headers declare, but for tags, parameters and what only the headers need.
python3 - kit/include/tiforge >declared <<'END'
import glob, re, sys
names = set()
for path in glob.glob(sys.argv[1] + '/*.h') + glob.glob(sys.argv[1] + '/tiforge/*.h'):
    text = re.sub(r'/\*.*?\*/|"[^"\n]*"', '', open(path).read(), flags=re.S)
    names |= set(re.findall(r'\b(?:(?:JVMTI|JNI|TF)_[A-Z]\w*|tf_[a-z]\w*|j[a-z]+[A-Z]?\w*|'
                            r'JNI[A-Z]\w*|Java[A-Z]\w*|Agent_On\w+)\b', text))
names -= {n for n in names if re.fullmatch(r'\w+_|JNI_\w+_H|jvmtiEventReserved', n)}
names -= {'TF_NO_PLACE', 'jni', 'jni_env', 'jni_local', 'json', 'jvm', 'jvmti', 'jvmti_env', 'java',
          'tf_reserved', 'tf_vm'}
print('\n'.join(sorted(names)))
END
[ "$(wc -l <declared)" -gt 800 ] && tf explain $(cat declared)
point "all that the headers declare"
tf explain jthread && says 'typedef jobject' && says 'NULL is the current thread' &&
    tf explain JVMTI_VERSION_1_2 && says 'JVMTI_VERSION_1_2 +0x30010200' &&
    tf explain jvmtiCapabilities && says 'unsigned int can_tag_objects : 1' &&
    tf explain jvmtiEventBreakpoint && says 'JVMTI_EVENT_BREAKPOINT' &&
    tf explain TF_OP_NEW && says 'instruction new, 0xbb' &&
    tf explain tf_capability && says '^    tf_capabilities_add$' &&
    tf explain TF_AGENT && ! says 'struct tf_agent' && tf explain tf_agent &&
    says 'struct tf_agent'
point "by the name as it is written"
for header in "$top"/sdk/include/tiforge/*.h; do
    sed -n 's/^[a-z][a-z_ ]*[ *]\(tf_[a-z_0-9]*\)(.*/\1/p' "$header"
done >declared
tf explain $(cat declared) && [ "$(grep -c ': libtiforge, tiforge/' out)" -ge "$(wc -l <declared)" ] &&
    tf explain tf_monitor_wait && says 'TF_INTERRUPTED: Thread.interrupt' && tf explain TF_CALL &&
    says 'log its error, if any'
point "everything that libtiforge declares"
fails 1 "nothing is called 'GetStackTrase'; did you mean 'GetStackTrace'" explain GetStackTrase
point "a name that is nearly right"
fails 1 "nothing is called 'Stack'" explain Stack && says 'there are: .*GetStackTrace'
point "what is nearly the name"

# -- colour --
# An output that is a terminal.
terminal() { python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))' "$@" </dev/null >out 2>&1; }
escape=$(printf '\033')
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    TERM=xterm terminal "$tiforge" doctor libnone.so
    says "$escape\\[31merror:" && {
        TERM=xterm terminal "$tiforge" nwe
        says "$escape\\[31mtiforge: no"
    }
    point "errors are red on a terminal"
    plain=yes
    for setting in NO_COLOR=1 TERM=dumb; do
        (export TERM=xterm "$setting"; terminal "$tiforge" doctor libnone.so)
        says 'error:' && ! says "$escape" || plain=no
    done
    tf doctor libnone.so
    says 'error:' && ! says "$escape" || plain=no
    [ $plain = yes ]
    point "and not with NO_COLOR, on a dumb one, and in a file"
else
    for _ in 1 2; do
        count=$((count + 1))
        echo "ok $count - colours # SKIP no terminal by python3"
    done
fi

# -- completion --
mkdir -p kit/lib/tiforge/agents
cp hello/libhello.so kit/lib/tiforge/agents/libgreeter.so
tf --complete "" && says '^new$' && says '^explain$' && tf --complete te &&
    [ "$(cat out)" = test ]
point "completion: commands"
tf --complete new --template heap && [ "$(cat out)" = heap-walker ] &&
    tf --complete check --fail-on "" && says '^advice$' && tf --complete test --re &&
    [ "$(cat out)" = --report ] && tf --complete explain GetStackT && says GetStackTrace
point "completion: options and their values, names"
tf --complete run gre && [ "$(cat out)" = greeter ] &&
    tf --complete run --vm java greeter=gre && [ "$(cat out)" = greeter=greeting= ] &&
    tf --complete check hello/libhello.so=greeting=x,h &&
    [ "$(cat out)" = hello/libhello.so=greeting=x,help ] &&
    tf --complete run greeter -- gre && [ ! -s out ]
point "completion: agents and their options"
in_bash() # LINE WORD...: as bash calls it, with the line's last word as bash parts it
{
    bash -c '. "$1"; PATH=$2:$PATH COMP_LINE=$3 COMP_POINT=${#3}; shift 3
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); compopt() { printf "compopt %s %s\\n" "$@"; }
        _tiforge; printf "%s\n" "${COMPREPLY[@]}"' - "$top/sdk/install/tiforge.bash" \
        "$work/kit/bin" "$@" >out 2>&1
}
in_bash "tiforge new --template heap" tiforge new --template heap &&
    [ "$(cat out)" = heap-walker ] &&
    in_bash "tiforge run greeter=gre" tiforge run greeter = gre &&
    [ "$(cat out)" = "compopt -o nospace
greeting=" ] && in_bash "tiforge run greeter=" tiforge run greeter = && says '^greeting=$' &&
    in_bash "tiforge doctor hello/libh" tiforge doctor hello/libh &&
    says '^hello/libhello.so$'
point "completion in bash"
if command -v zsh >/dev/null; then
    PATH=$work/kit/bin:$PATH zsh -fc 'compadd() { print -l -- $found }
        _files() { print files }
        words=(tiforge new --template heap) CURRENT=4; . "$1"' - \
        "$top/sdk/install/tiforge.zsh" >out 2>&1
    [ "$(cat out)" = "heap-walker
files" ]
    point "completion in zsh"
else
    count=$((count + 1))
    echo "ok $count - completion in zsh # SKIP no zsh found"
fi
if command -v fish >/dev/null; then
    HOME=$work PATH=$work/kit/bin:$PATH fish -c 'source $argv[1]
        complete -C "tiforge new --template heap"' "$top/sdk/install/tiforge.fish" \
        >out 2>&1
    says '^heap-walker'
    point "completion in fish"
else
    count=$((count + 1))
    echo "ok $count - completion in fish # SKIP no fish found"
fi
echo "1..$count"
