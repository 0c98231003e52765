#!/bin/sh
# SPDX-License-Identifier: MIT
# What the library asks of a VM comes out by value, on each VM.
top=${top_srcdir:?} build=${top_builddir:?}
here=$top/sdk/test
work=$build/sdk/test/onvm.work
source=$here/java/onvm/OnVm.java

# A class has a name that is not ASCII, and so has its file.
export LC_ALL=C.UTF-8
rm -rf "$work" && mkdir -p "$work" || exit 1
"$JDK17/bin/javac" -g --release 17 -d "$work" "$source" || exit 1
line() { grep -n "$1" "$source" | sed 's/:.*//'; }
cat >"$work/want" <<END
options: 'some options', attached 0, jni 0, level 9 1, lines 1
start: 1
frame: onvm.OnVm.look(Native Method)
frame: onvm.OnVm.inner(OnVm.java:$(line LINE))
frame: onvm.OnVm.main(OnVm.java:$(line '  inner('))
short: onvm.OnVm.inner
parameters: onvm.OnVm.inner(int[], java.lang.String, onvm.OnVm\$Äpfel)
full: long onvm.OnVm.inner(int[], java.lang.String, onvm.OnVm\$Äpfel)
descriptor: onvm/OnVm.inner([ILjava/lang/String;Lonvm/OnVm\$Äpfel;)J
thread: mäin 😀
class: onvm.OnVm\$Äpfel
field: onvm.OnVm\$Äpfel.first
field: onvm.OnVm\$Äpfel.second
scope: Lonvm/OnVm\$Äpfel; 2
foreign: from outside 1 0 1 0
worker: the worker
woken: 1
nameless: (no name)
done
stop: 1
collections: yes
END

count=0
on() # JAVA NAME
{
    preload=
    [ "$2" = minivm ] || preload=$SANITIZER_RUNTIME
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" timeout 120 "$1" \
        -agentpath:"$build/sdk/test/.libs/libonvm.so=some options" -cp "$work" onvm.OnVm \
        >"$work/out" 2>"$work/err"
    status=$?
    count=$((count + 1))
    if [ $status = 0 ] && diff "$work/want" "$work/out" >"$work/diff"; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/# /' "$work/diff" "$work/err"
    fi
}

on "$JDK17/bin/java" "JDK 17"
[ -z "$JDK25" ] || on "$JDK25/bin/java" "JDK 25"
on "$build/minivm/minivm" minivm
echo "1..$count"
