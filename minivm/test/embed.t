#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A C program that links libjvm.so and creates the VM itself; see embed.c.

top_builddir=${top_builddir:-$PWD}
here=$(cd "$(dirname "$0")" && pwd)
work=$top_builddir/minivm/test/embed.work
lib=${LIBJVM_DIR:-$top_builddir/minivm/lib}

if [ -z "$JDK17" ]; then
    JDK17=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
fi
[ -f "$lib/libjvm.so" ] || { echo "Bail out! $lib/libjvm.so is not built"; exit 1; }
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH
JAVA_HOME=$JDK17
export JAVA_HOME

rm -rf "$work"
mkdir -p "$work"
cat > "$work/Embedded.java" <<'EOF'
public class Embedded {
    static long add(int a, long b) { return a + b; }
    static void fail() { throw new IllegalStateException("on purpose"); }
    static boolean isDaemon() { return Thread.currentThread().isDaemon(); }
    static boolean isVisitor() {
        return Thread.currentThread().getName().equals("visitor");
    }
    static void linger() {
        Runtime.getRuntime().addShutdownHook(
            new Thread(() -> System.out.println("# the hook ran")));
        new Thread(() -> {
            // DestroyJavaVM waits for this thread in native code: time passes first.
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
            System.out.println("# the last thread ended");
        }).start();
    }
}
EOF
"$JDK17/bin/javac" -d "$work" "$work/Embedded.java" &&
    ${CC:-cc} -I"$JDK17/include" -I"$JDK17/include/linux" -o "$work/embed" \
        "$here/embed.c" -L"$lib" -ljvm -Wl,-rpath,"$lib" -rdynamic -lpthread ||
    { echo "Bail out! cannot build the program"; exit 1; }
# A sanitizer's runtime has to come first in a program that was built without it.
env ${SANITIZER_RUNTIME:+LD_PRELOAD="$SANITIZER_RUNTIME"} \
    ASAN_OPTIONS="detect_leaks=0:handle_segv=0:handle_sigbus=0:$ASAN_OPTIONS" \
    TSAN_OPTIONS="handle_segv=0:handle_sigbus=0:$TSAN_OPTIONS" \
    timeout 60 "$work/embed" "$work" > "$work/out" 2> "$work/err"
code=$?
cat "$work/out"
sed 's/^/# /' "$work/err"
# Its plan comes last: without it the run broke off.
grep -v '^ok' "$work/out" | tr '\n' ' ' > "$work/order"
case $(cat "$work/order") in
*'the last thread ended # the hook ran 1..'*) ;;
*) echo "not ok - the thread and the hook ran before the end" ;;
esac
[ $code = 0 ] || echo "Bail out! exit code $code"
