#!/bin/sh
# SPDX-License-Identifier: MIT
# rules.t [RULE...] -- each rule is found where it is broken, and nothing is where the
# same is done rightly, on each VM.
top=${top_srcdir:?} build=${top_builddir:?}
work=$build/layer/test/rules.work
check=$build/layer/.libs/libtiforge-check.so
misuse=$build/layer/test/.libs/libmisuse.so
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
"$JDK17/bin/javac" --release 11 -Xlint:-options -d "$work" "$top/layer/test/Target.java" ||
    exit 1

# Rules that a VM does not let be found: "VM RULE".
unseen='minivm phase.jni-early'

# Rules that cannot be broken without another one: "RULE:OTHER", with spaces around.
brings=' memory.output-after-error:error.ignored
    capability.unavailable:table.capabilities-garbage
    monitor.owner-suspended:monitor.held-by-suspended
    progress.deadlock:progress.callback
    monitor.held-over-collection:progress.callback
    monitor.held-over-collection:progress.deadlock '

# Run the case one way; the report is in $work/report.json.
run() # JAVA VM RULE WAY
{
    preload=
    [ "$2" = minivm ] || preload=$SANITIZER_RUNTIME
    more= again= argument=
    case $3 in
    memory.output-after-error) more=poison, ;;
    progress.*|monitor.held-over-collection) more=watchdog=3, ;;
    # The program does not call exit, so the VM waits for threads.
    */return) more=watchdog=3, argument=return ;;
    error.several-copies)
        [ "$4" = right ] || again=-agentpath:$check=agent=$misuse,options=$3,right ;;
    esac
    rm -f "$work/report.json"
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" timeout 120 "$1" \
        -agentpath:"$check=agent=$misuse,report=$work/report.json,${more}options=$3,$4" \
        ${again:+"$again"} -cp "$work" Target $argument >"$work/out" 2>"$work/err"
    status=$?
}

# The rules of the report, each once, those of severity advice only if they are the one
# tested, and not what that one brings.
found() # RULE
{
    awk -v rule="$1" -v brings="$brings" '
        /"rule":/ { split($0, part, "\""); id = part[4] }
        /"severity":/ && (!/"advice"/ || id == rule) &&
            !index(brings, rule ":" id) && !seen[id]++ { print id }' "$work/report.json"
}

count=0
point() # VERDICT NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || { echo "# status $status; found:" $(found "$rule")
        sed 's/^/# /' "$work/err" | head -30; }
}

on() # JAVA VM
{
    for rule in $rules; do
        run "$1" "$2" "$rule" wrong
        case "$unseen" in
        *"$2 $rule"*) echo "ok $((count += 1)) - $2: $rule # SKIP cannot be seen there" ;;
        *) [ "$(found "${rule%%/*}")" = "${rule%%/*}" ]
            point $? "$2: $rule" ;;
        esac
        run "$1" "$2" "$rule" right
        [ $status = 0 ] && [ -f "$work/report.json" ] && [ -z "$(found "${rule%%/*}")" ]
        point $? "$2: $rule, done rightly"
    done
}

# All rules, and further cases of some.
rules=${*:-$(sed -n 's/^@\([^ ]*\) .*/\1/p' "$top/layer/rules.txt")
    $(sed -n 's/.*\.rule = "\([^"]*\/[^"]*\)".*/\1/p' "$top"/layer/test/misuse/*.c |
        grep -v ^correct/)}
on "$build/minivm/minivm" minivm
# HotSpot is not built for ThreadSanitizer.
case $SANITIZER_RUNTIME in
*tsan*) JDK25= ;;
*) on "$JDK17/bin/java" "JDK 17" ;;
esac
[ -z "$JDK25" ] || on "$JDK25/bin/java" "JDK 25"
echo "1..$count"
