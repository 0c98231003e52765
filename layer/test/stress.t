#!/bin/sh
# SPDX-License-Identifier: MIT
# stress=SEED of the layer: threads come and go, and classes are loaded and unloaded.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
work=$build/layer/test/stress.work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
build=$(cd "$build" && pwd)
cat >"$work/Waits.java" <<'END'
public class Waits {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 30; i++) {
            Thread thread = new Thread(() -> { });
            thread.start();
            thread.join();
            Thread.sleep(60);
        }
        System.gc();
        System.out.println("done");
    }
}
END
"$JDK17/bin/javac" --release 11 -Xlint:-options -d "$work" "$work/Waits.java" || exit 1
cd "$work" || exit 1
count=0
point() # NAME: the last status is the verdict
{
    verdict=$?
    count=$((count + 1))
    [ $verdict = 0 ] || printf 'not '
    echo "ok $count - $1"
    [ $verdict = 0 ] || tail -n 20 out | sed 's/^/# /'
}

disturb() # NAME JAVA
{
    timeout 120 "$2" -Xlog:class+unload "-agentpath:$build/layer/.libs/libtiforge-check.so=agent=$build/agents/tracer/.libs/libtracer.so,stress=7,options=idle" \
        -cp . Waits >out 2>&1
    [ $? = 0 ] && grep -q '^done$' out
    point "$1: the program ends as it does undisturbed"
    [ "$(grep -c 'unloading class tiforge.stress.Part' out)" -ge 2 ]
    point "$1: classes are unloaded"
}

disturb minivm "$build/minivm/minivm"
disturb "JDK 17" "$JDK17/bin/java"
[ -z "$JDK25" ] || disturb "JDK 25" "$JDK25/bin/java"
echo "1..$count"
