#!/bin/sh
# SPDX-License-Identifier: MIT
# The tracer on programs whose calls are known, on the JDK's own VM and on minivm.
. "${top_srcdir:?}/agents/tracer/test/lib.sh"

# The tree for formats that do not say what was thrown.
without_thrown() { sed 's/ [0-9]*$/ -/' "$1"; }

formats()
{
    for format in chrome speedscope collapsed tree; do
        run "format=$format,value=calls,file=trace.$format" Calls
        tree $format trace.$format
        case $format in
        chrome | tree) cp "$here/Calls.expected" expected ;;
        *) without_thrown "$here/Calls.expected" >expected ;;
        esac
        # HotSpot still reports the exception that ended run() when the handler's calls
        # return: was_popped_by_exception is true although they return (JVM TI "Method
        # Exit").
        if [ "$vm" != minivm ]; then
            sed 's/\(;Calls\$Handler\.un.*\) 0$/\1 1/' expected >want
        else
            cp expected want
        fi
        [ "$status" = 0 ] && cmp -s want tree && grep -q '^sink 23$' out
        point $? "$format has each call, and each under its caller" tree err
        [ "$(cat counts)" = "$(awk '{ sum += $(NF - 1) } END { print sum }' expected) 0" ]
        point $? "$format says how many there were" counts
        [ $format = collapsed ] || slept $format
    done
    run "format=collapsed,file=times" Calls
    tree times times
    slept collapsed
}

slept() # FORMAT
{
    [ "$(own_time 'Calls.pause()')" -ge 30000000 ] &&
        [ "$(own_time 'Calls.odd(int)')" -lt 30000000 ]
    point $? "$1 has a sleep as its method's own time" all
}

filters()
{
    run 'format=tree,include=Calls.fib:Calls.leaf(int),exclude=*odd*,file=f' Calls
    tree tree f
    [ "$(cut -d ';' -f 2 tree | sort -u | grep -c -v -e '^Calls.fib(int)' \
        -e '^Calls.leaf(int)')" = 0 ] && [ "$(cat counts)" = "27 0" ]
    point $? "include takes methods, with parameters or without" counts tree
    run 'format=tree,include=Calls*,exclude=Calls$*:Calls.fib:*.main(*),file=f' Calls
    tree tree f
    ! grep -qE 'fib|main\(|Calls\$' tree && grep -q '^main;Calls.catcher() 1 0$' tree &&
        grep -q '^worker,a;Calls.leaf(int) 5 0$' tree
    point $? "exclude takes classes and methods; others close the gap" tree
    run 'format=tree,include=java.lang.Object.wait:java.util.*,file=f' Calls
    grep -q 'java\.util\.' f && ! grep -q 'Calls\.' f
    point $? "include takes the class library" f
}

depths()
{
    for format in chrome tree; do
        run "format=$format,depth=3,file=f" Calls
        tree $format f
        awk -F ';' 'NF <= 4' "$here/Calls.expected" >want
        without_thrown tree >got
        without_thrown want | cmp -s - got && [ "$(cat counts)" = \
            "$(awk '{ sum += $(NF - 1) } END { print sum }' want) 0" ]
        point $? "$format: calls that are too deep are none, nor are they lost" tree counts
    done
    run "format=collapsed,value=calls,limit=64k,include=*,file=f" Calls
    [ "$(wc -c <f)" -le 65600 ] &&
        grep -qE '^\[[1-9][0-9]* stacks beyond the limit\] [1-9]' f &&
        grep -q 'warning: [0-9]* stacks are put together' err
    point $? "stacks that would not fit into the limit are put together" err
}

losses()
{
    total=$((4 * (1 + 1 + 1 + 2000 + 17) + 1))
    for format in chrome tree; do
        run "format=$format,file=f,full=wait,buffer=4k" Many 4 2000 17
        tree $format f
        [ "$(cat counts)" = "$total 0" ] &&
            [ "$(grep -c '^Thread-[0-3];Many.run();Many.body();Many.leaf(int) 2000 ' \
                tree)" = 4 ]
        point $? "$format: threads that wait for room lose nothing" counts tree err
        run "format=$format,file=f,buffer=4k" Many 2 100000 400
        tree $format f
        all=$((2 * (1 + 1 + 1 + 100000 + 400) + 1))
        read -r kept lost <counts
        [ "$status" = 0 ] && [ "$lost" -gt 0 ] && [ $((kept + lost)) = $all ]
        point $? "$format: kept and lost calls of a small buffer are all calls" counts \
            tree err
        has "$format: a warning tells of it" "tracer: warning: $lost calls were lost" err
        run "format=$format,file=f,full=wait,limit=4k" Many 2 100000 400
        tree $format f
        read -r kept lost <counts
        [ "$lost" -gt 0 ] && [ "$kept" -gt 20 ] && [ $((kept + lost)) = $all ]
        point $? "$format: so are those of a small limit" counts tree err
    done
    run "format=collapsed,value=calls,file=f,buffer=4k" Many 1 100000 0
    tree collapsed f
    read -r kept lost <counts
    [ "$lost" -gt 0 ] && [ $((kept + lost)) = 100004 ]
    point $? "collapsed: lost calls are a stack of their own" counts tree
    run "format=speedscope,file=f,buffer=4k" Many 1 100000 0
    tree speedscope f
    read -r kept lost <counts
    [ "$lost" -gt 0 ] && [ $((kept + lost)) = 100004 ]
    point $? "speedscope: the file's name has the lost calls" counts tree
}

disk()
{
    run "format=chrome,file=/dev/full" Calls
    grep -q 'tracer: error: cannot write "/dev/full": No space left' err &&
        grep -q '^sink 23$' out && [ "$status" = 0 ]
    point $? "a full disk is reported, and the program goes on" err
    mkdir -p small && rm -f small/*
    (trap '' XFSZ; ulimit -f 256; cd small && exec 3>../err 4>../out && preload=$preload \
        && exec env ${preload:+LD_PRELOAD="$preload"} ASAN_OPTIONS=detect_leaks=0 \
        "$java" "-agentpath:$agent=format=chrome,full=wait,file=f" -XX:-UsePerfData \
        -Xshare:auto -cp ../classes Many 1 20000 0 >&4 2>&3)
    grep -q 'tracer: error: cannot keep more events: File too large' err &&
        grep -q 'tracer: error: cannot write "f": File too large' err &&
        grep -q '^done$' out && [ -z "$(ls small)" ]
    point $? "no half file is left of what did not fit" err
    echo old >f
    run "format=tree,file=f,on=signal" Calls
    [ "$status" = 0 ] && grep -q '^sink 23$' out && [ "$(cat f)" = old ]
    point $? "nothing is written when it is not asked for" f
}

# A program that waits for its input.
begin() # OPTIONS
{
    rm -f in && mkfifo in
    : >out
    (launch "$1" Waits) <in >out 2>err &
    pid=$!
    exec 3>in
    await '^ready' out && await '^sleeping' out
}

await() # PATTERN FILE
{
    tries=0
    until grep -q -e "$1" "$2" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
}

tell() # LINE
{
    before=$(grep -c "^did $1" out)
    echo "$1" >&3
    tries=0
    until [ "$(grep -c "^did $1" out)" -gt "$before" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
}

end()
{
    echo end >&3
    exec 3>&-
    wait $pid
    status=$?
}

attach() # OPTIONS
{
    "$JDK17/bin/jcmd" $pid JVMTI.agent_load "$agent" "\"$1\"" >answer 2>&1
}

attached() # IDLE-OPTIONS
{
    begin "$1"
    if [ -z "$1" ]; then
        attach format=tree,file=a
        if grep -q 'does not offer can_generate_method_entry_events' err; then
            grep -q 'load the agent with the VM, as in -agentpath:...=idle' err
            point $? "a VM that cannot trace by attach says so, and how it can" err
            skip "$vm: without the agent at the start" \
                'this VM has no can_generate_method_entry_events in the live phase'
            end
            return
        fi
        point 0 'a trace begins by attach'
    else
        attach format=tree,file=a
        point $? 'an idle agent begins by attach' answer err
    fi
    tell work
    tell wake
    attach stop
    tell work
    tree tree a
    cat >want <<'END'
main;Waits.main(java.lang.String[]) 1 0
main;Waits.main(java.lang.String[]);Waits.loop(java.lang.Thread) 1 0
main;Waits.main(java.lang.String[]);Waits.loop(java.lang.Thread);Waits.obey(java.lang.String, java.lang.Thread) 2 0
main;Waits.main(java.lang.String[]);Waits.loop(java.lang.Thread);Waits.obey(java.lang.String, java.lang.Thread);Waits.work(int) 1 0
main;Waits.main(java.lang.String[]);Waits.loop(java.lang.Thread);Waits.obey(java.lang.String, java.lang.Thread);Waits.work(int);Waits.work(int) 1 0
other;Waits$1.run() 1 0
other;Waits$1.run();Waits.sleep() 1 0
other;Waits$1.run();Waits.sleep();Waits.sleeper(int) 1 0
other;Waits$1.run();Waits.sleep();Waits.sleeper(int);Waits.sleeper(int) 1 0
other;Waits$1.run();Waits.sleep();Waits.sleeper(int);Waits.sleeper(int);Waits.sleeper(int) 1 0
END
    sort tree | cmp -s want -
    point $? "${1:-attach}: calls that were open when the trace began stand in it" tree err
    attach stop
    grep -q 'tracer: error: no trace runs' err
    point $? "${1:-attach}: a second stop is an error" err
    attach format=collapsed,value=calls,file=b,include=Waits.work
    attach format=tree,file=c
    grep -q 'tracer: error: a trace runs already' err
    point $? "${1:-attach}: so is a second start" err
    tell work
    end
    tree collapsed b
    printf '%s\n' 'main;Waits.work(int) 1 -' 'main;Waits.work(int);Waits.work(int) 1 -' |
        cmp -s - tree && [ "$status" = 0 ] && [ ! -f c ]
    point $? "${1:-attach}: another trace ends with the VM" tree err
}

signals()
{
    begin 'format=chrome,file=s-%p.json,on=signal:exit'
    tell work
    kill -QUIT $pid
    await '"E"' s-$pid.json
    tree chrome s-$pid.json
    grep -q ';Waits.work(int);Waits.work(int) 1 0$' tree &&
        grep -q '"args":{"open":true}' s-$pid.json &&
        grep -q '^other;.*;Waits.sleeper(int);Waits.sleeper(int);Waits.sleeper(int) 1 0' tree
    point $? "SIGQUIT writes the trace so far, open calls in it" tree err
    rm s-$pid.json
    tell work
    tell wake
    end
    tree chrome s-$pid.json
    grep -q ';Waits.work(int);Waits.work(int) 2 0$' tree && ! grep -q '"open"' s-$pid.json
    point $? "and the trace goes on until the end" tree err
    mkdir -p killed && rm -f killed/*
    begin "format=speedscope,file=$work/killed/f"
    tell work
    kill -9 $pid
    wait $pid 2>/dev/null
    exec 3>&-
    [ -z "$(ls killed)" ]
    point $? "nothing is left of a trace whose program is killed" err
}

popped()
{
    for format in chrome tree; do
        run "format=$format,include=Popped.*er,file=f" \
            "-agentpath:$build/agents/tracer/test/.libs/libpopper.so" Popped
        tree $format f
        printf '%s\n' 'popped;Popped.outer() 1 0' 'popped;Popped.outer();Popped.inner() 1 0' \
            'popped;Popped.outer();Popped.inner();Popped.inner() 1 0' >want
        [ "$status" = 0 ] && grep -q '^2 calls$' out && cmp -s want tree
        point $? "$format: a popped call ends with its caller, and none is missing" \
            tree err out
    done
}

# A name of the class file or of a thread is a part of a line, whatever it holds.
names()
{
    for format in tree collapsed; do
        run "format=$format,include=*Tw*,file=f" Names
        [ "$status" = 0 ] && grep -q '^ran$' out &&
            grep -qF 'Names\nTwi\u001b\t\\d.gn\nar\re()' f &&
            [ "$(LC_ALL=C tr -d '\n\040-\176' <f | wc -c)" = 0 ]
        point $? "$format: control characters of names are escaped" f err
    done
    grep -qE '^thr\\nead\\u001b\[2J,x\\u0000y;[^;]*run\(\);[^;]*gn.nar.re\(\) [0-9]+$' f
    point $? 'collapsed: a record is a line' f
    run "format=chrome,include=*Tw*,file=f" Names
    tree chrome f
    grep -qF 'gn\nar\re() 1' tree
    point $? 'chrome: the names are the same' tree err
}

# What a thread of Virtual calls; the unnamed ones are named as the program says.
virtual_calls() # ROUNDS
{
    { printf 'v%d\n' 0 1 2 3 4 5 6 7; grep '^virtual #' out; } | while read -r thread; do
        body="$thread;Virtual.body()"
        echo "$body 1 -"
        echo "$body;Virtual.outer(int) $1 -"
        echo "$body;Virtual.outer(int);Virtual.inner(int) $1 -"
        echo "$body;Virtual.outer(int);Virtual.inner(int);Virtual.leaf() $((2 * $1)) -"
        echo "$body;Virtual.outer(int);Virtual.leaf() $1 -"
    done | sort
}

# Threads that move between carriers in the midst of calls, several at a time.
virtual()
{
    "$JDK25/bin/javac" -g -d classes "$here/virtual/Virtual.java"
    only='include=Virtual.*,exclude=*.main(*:*lambda*'
    for mode in '' probes,; do
        for format in chrome tree collapsed; do
            run "${mode}format=$format,value=calls,$only,file=f" Virtual 8 200 4
            tree $format f
            without_thrown tree | sort >got
            virtual_calls 200 >want
            [ "$status" = 0 ] && [ "$(grep -c '^virtual #' out)" = 4 ] &&
                cmp -s want got && [ "$(cat counts)" = "$((12 * 1001)) 0" ]
            point $? "$mode$format: a virtual thread is a track, on whatever carrier" \
                counts got err
        done
    done
    # A buffer that holds a single round, and more threads than fit into the limit.
    run "format=chrome,buffer=4k,$only,file=f" Virtual 500 20 0
    tree chrome f
    [ "$(cat counts)" = "$((500 * 101)) 0" ] &&
        [ "$(grep -c '^v[0-9]*;Virtual.body() 1 0$' tree)" = 500 ]
    point $? 'many virtual threads lose nothing' counts err
    run "format=tree,limit=64k,$only,file=f" Virtual 1000 2 0
    tree tree f
    read -r kept lost <counts
    [ "$status" = 0 ] && [ "$lost" -gt 0 ] && [ $((kept + lost)) = 11000 ]
    point $? 'those that the limit has no room for are counted as lost' counts err
}

refuses() # OPTIONS PATTERN NAME
{
    run "$1" Calls
    [ "$status" != 0 ] && grep -qE "$2" err && ! grep -q sink out
    point $? "$3" err out
}

options()
{
    refuses colour=red 'error: .*colour.*file.*format.*include.*exclude' \
        'an unknown option is an error that lists the known ones'
    refuses format=xml 'error: .*format.*chrome.*speedscope.*collapsed.*tree' \
        'an unknown format is one'
    refuses on=never 'error: on: "never" is not one of exit, signal' 'an unknown event'
    refuses buffer=1 'error: .*buffer' 'a buffer that is too small'
    refuses file=no/such/folder/f 'error: cannot write "no/such/folder/f": No such' \
        'a file that cannot be made'
    refuses stop 'error: stop is for an attach' 'a stop at the start'
    run help Calls
    [ "$status" = 0 ] && ! grep -q sink out && grep -q 'speedscope' out
    point $? 'help helps' out
    rm -f tracer-*
    run format=tree Calls
    [ "$(ls tracer-* 2>/dev/null)" = '' ] && grep -q '^49 calls, 0 lost, 4 threads' out
    point $? 'a tree goes to the output' out
    (launch file=tracer-%p.json Calls) >out 2>err &
    pid=$!
    wait $pid
    [ -s tracer-$pid.json ]
    point $? '%p in a file name is the process' err
}

everything() # VM JAVA
{
    use "$@"
    formats
    filters
    depths
    losses
    disk
    attached ''
    attached 'idle'
    signals
    popped
    names
    options
}

everything "JDK 17" "$JDK17/bin/java"
everything minivm "$build/minivm/minivm"
if [ -n "$JDK25" ]; then
    use "JDK 25" "$JDK25/bin/java"
    formats
    attached idle
    virtual
    use "minivm on JDK 25" "$build/minivm/minivm"
    (JAVA_HOME=$JDK25; export JAVA_HOME; virtual; echo "$count" >counted)
    count=$(cat counted)
else
    skip "virtual threads" 'no JDK 25'
fi
echo "1..$count"
