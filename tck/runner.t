#!/bin/sh
# SPDX-License-Identifier: MIT
# The runner itself, with a script in place of the VM that plays one that is good, dies
# between two assertions, prints what is no UTF-8, hangs, or finds the disk full.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
run=$(cd "$top_builddir" && pwd)/tck/run
schema=$(cd "$top_srcdir" && pwd)/tck/junit.rng
browser=$(cd "$top_srcdir" && pwd)/agents/test/browser.sh
. "$browser"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

echo 1..57
count=0

# check NAME COMMAND...: one point, which passes when the command succeeds.
check()
{
    count=$((count + 1))
    name=$1
    shift
    if "$@" >"$work/check" 2>&1; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        sed 's/^/# /' "$work/check"
    fi
}

# The VM: takes the result file and the list of selected assertions from its arguments,
# as the agent does, and does for the Nth of them what $PLAY says.
cat >"$work/vm" <<'END'
#!/bin/sh
for word; do
    case $word in -agentpath:*=group=*) options=${word#*=} ;; esac
done
out=${options#*out=} out=${out%%,*}
level=${options#*level=} level=${level%%,*}
[ "$level" != 0 ] || level=21
case $options in group=probe,*) echo "vm $level Fake ${NAME-1}" >"$out"; exit ;; esac
select=${options#*select=}
while read -r id; do
    case $id in *.vm.ends-normally) continue ;; esac
    ! grep -qx "begin $id" "$out" 2>/dev/null || continue
    number=$(($(grep -c '^begin ' "$out" 2>/dev/null) + 1))
    echo "begin $id" >>"$out"
    case $PLAY:$number in
    fails:*) case $id in
        $FAILS) echo "not ok wrong" >>"$out" ;;
        *) echo ok >>"$out" ;;
        esac ;;
    crash:2)
        echo "SIGSEGV at 0x00007f$$, pid=$$, tid=$$ in $PWD/hs_err_pid$$.log"
        kill -SEGV $$ ;;
    bytes:2) printf 'not ok wrong \377\1 <here> caf\303\251\n' >>"$out" ;;
    hang:2) echo $$ >"$PIDS"; sleep 600 & echo $! >>"$PIDS"; wait ;;
    *) printf 'ok\ntime %d\n' $((number * 1500000)) >>"$out" ;;
    esac
    [ "$PLAY:$number" != between:2 ] || kill -ABRT $$
done <"$select"
echo finished >>"$out"
END
chmod +x "$work/vm"

# play WHAT [OPTION...]: runs four assertions of one group; status, output and errors
# are kept.
play()
{
    PLAY=$1
    shift
    PLAY=$PLAY PIDS=$work/pids TMPDIR=$work "$run" --java "$work/vm" \
        --filter 'GetFrameCount.error.*' "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# Prints how often the last report's lines match.
tally()
{
    grep -c -e "$1" "$work/${2-out}"
}

# judge ID: plays a VM that fails in that assertion only.
judge()
{
    FAILS=$1
    export FAILS
    shift
    play fails "$@"
    unset FAILS
}

total=$("$run" --list --filter 'GetFrameCount.error.*' | wc -l)

# junit NAME FILE: a point, whether the file is what tck/junit.rng says.
junit()
{
    if command -v xmllint >/dev/null; then
        check "$1" xmllint --noout --relaxng "$schema" "$2"
    else
        count=$((count + 1))
        echo "ok $count - $1 # SKIP no xmllint"
    fi
}

play good --report "$work/good.xml" --report "$work/good.json" --report "$work/good.html"
check 'a good VM passes' [ "$status" = 0 ]
check 'in all assertions' [ "$(tally '^ok')" = "$total" ]
check 'JUnit has the time of each' grep -q 'time="1.500"' "$work/good.xml"
junit 'and follows the schema' "$work/good.xml"
check 'the page has a mark for each' \
    [ "$(grep -o '<i class=p data-c=[a-z]* data-l=[0-9]* title=' "$work/good.html" |
        wc -l)" = "$total" ]
if [ -n "$browser_program" ]; then
    check 'whose texts can be read, in light and in dark' \
        sh -c 'cd "$1" && . "$2" && { browser_contrast good.html || { cat contrast; false; }; }' \
        - "$work" "$browser"
else
    count=$((count + 1))
    echo "ok $count - whose texts can be read # SKIP no chromium found"
fi
check 'and loads nothing' sh -c '! grep -q -e src= -e href= -e http: -e https: "$1"' - \
    "$work/good.html"
check 'nothing is left behind' sh -c '! ls -d "$1"/tck.*' - "$work"

play between
check 'a VM that dies between two assertions' [ "$status" = 1 ]
check 'goes on in a new one' [ "$(tally '^ok')" = "$total" ]

check 'and has not ended normally, even if nobody asked' \
    grep -q '^not ok .*\.vm\.ends-normally' "$work/out"
check 'which the report explains' grep -q '^# the VM .* signal ABRT' "$work/out"

play crash --report "$work/one.json"
check 'an assertion in which the VM dies has failed' [ "$(tally '^not ok')" = 1 ]
check 'without addresses, ids and paths' \
    grep -q '^# .* SIGSEGV at 0x\*, pid=\*, tid=\* in ./hs_err_pid\*.log$' "$work/out"
play crash --report "$work/two.json" --report "$work/two.xml"
check 'for JUnit it is an error' grep -q '<error type="died"' "$work/two.xml"
check 'and counted as such' grep -q ' failures="0" errors="1" ' "$work/two.xml"
junit 'which the schema allows' "$work/two.xml"
for file in one two; do
    grep -v -e '"date"' -e '"seconds"' "$work/$file.json" >"$work/$file.same"
done
check 'so that two reports of it are the same' cmp "$work/one.same" "$work/two.same"

judge GetFrameCount.error.THREAD_NOT_ALIVE.thread.ended
check 'an error that must be detected and is not gives status 1' [ "$status" = 1 ]
judge GetFrameCount.error.INVALID_THREAD.thread --report "$work/lack.json" \
    --report "$work/lack.xml"
check 'one that is only advised, status 3' [ "$status" = 3 ]
check 'and a lack in the sum' grep -q ' 0 failed, 1 lacks, ' "$work/out"
check 'and in the reports' grep -q '"status": "lack"' "$work/lack.json"
check 'of JUnit, too' grep -q '<failure type="lack"' "$work/lack.xml"
junit 'by the schema' "$work/lack.xml"
echo 'GetFrameCount.error.INVALID_THREAD.thread | not looked at | Get Frame Count' \
    >"$work/expect"
judge GetFrameCount.error.INVALID_THREAD.thread --expect "$work/expect" \
    --report "$work/known.xml"
check 'listed as expected it is a known lack' [ "$status" = 0 ]
check 'which TAP calls advised' grep -q '# TODO advised: not looked at' "$work/out"
junit 'known ones are skipped' "$work/known.xml"
play crash --expect "$work/expect"
check 'a death in an advised one is a failure' [ "$status" = 1 ]
play good --level 17
check 'the level can be given' grep -q 'level 17: ' "$work/out"
play good --level few
check 'as a number' [ "$status" = 2 ]

# Expectation files that the kit writes.
bad=GetFrameCount.error.THREAD_NOT_ALIVE.thread.ended
(echo '# of mine'; cat "$work/expect") >"$work/old"
judge $bad --expect "$work/old" --accept "$work/new"
check 'what a VM does can be accepted' [ "$status" = 0 ]
check 'with what came for a reason' grep -q "^$bad | wrong | Get Frame Count$" "$work/new"
check 'comments stay' grep -qx '# of mine' "$work/new"
check 'it says of what run it is' grep -q '^# Of Fake 1, level 21, 20' "$work/new"
check 'what passes is no longer listed' \
    sh -c '! grep -q INVALID_THREAD.thread "$1"' - "$work/new"
judge $bad --expect "$work/new"
check 'and the next run is as expected' [ "$status" = 0 ]
PLAY=good TMPDIR=$work "$run" --java "$work/vm" --filter 'GetTag.*' \
    --expect "$work/new" --accept "$work/part" >/dev/null 2>&1
check 'what a filter leaves out stays' [ "$(grep -vc '^#' "$work/part")" = 1 ]

# Shards, and what came of them together.
"$run" --list --filter 'Get*.error.THREAD_NOT_ALIVE.*' >"$work/ids"
for shard in 1 2; do
    PLAY=fails FAILS=$bad TMPDIR=$work "$run" \
        --java "$work/vm" --filter 'Get*.error.THREAD_NOT_ALIVE.*' --shard $shard/2 \
        --report "$work/shard$shard.json" >"$work/shard$shard" 2>&1
done
"$run" --merge "$work/shard1.json" "$work/shard2.json" --report "$work/all.json" \
    >"$work/out" 2>"$work/err"
status=$?
check 'shards are merged' [ "$(tally '^\(not \)*ok ')" = "$(wc -l <"$work/ids")" ]
check 'with their failures and status' [ "$status:$(tally '^not ok ')" = 1:1 ]
PLAY=fails FAILS=$bad TMPDIR=$work "$run" \
    --java "$work/vm" --filter 'Get*.error.THREAD_NOT_ALIVE.*' --report "$work/whole.json" >/dev/null
for file in all whole; do
    grep -v -e '"date"' -e '"seconds"' "$work/$file.json" >"$work/$file.same"
done
check 'to what one run gives' cmp "$work/all.same" "$work/whole.same"
PLAY=good TMPDIR=$work "$run" --java "$work/vm" --filter "$bad" --shard 1000/1000 \
    >"$work/out" 2>"$work/err"
check 'a shard without an assertion has nothing to complain of' [ $? = 0 ]
sed 's/"vm": "/&Other /' "$work/shard2.json" >"$work/other.json"
"$run" --merge "$work/shard1.json" "$work/other.json" >/dev/null 2>"$work/err"
check 'shards of different VMs are refused' [ $? = 2 ]
check 'by name' grep -q "other.json' is of 'Other Fake" "$work/err"
sed 's/"status": "fail"/"status": "pass"/' "$work/all.json" >"$work/other.json"
"$run" --merge "$work/all.json" "$work/other.json" >/dev/null 2>"$work/err"
check 'and reports that disagree' grep -q "has the status 'pass' here, and 'fail'" "$work/err"

NAME=$(printf 'V\377M')
export NAME
play bytes --report "$work/bytes.xml" --report "$work/bytes.json" \
    --report "$work/bytes.html"
unset NAME
for file in xml json html; do
    check "bytes that are no text are spelled in .$file" \
        grep -q 'wrong \\*\\xff\\*\\x01 .*café' "$work/bytes.$file"
done
junit 'and the schema finds nothing wrong' "$work/bytes.xml"
check 'the reports are UTF-8' iconv -f UTF-8 -t UTF-16 -o /dev/null \
    "$work/bytes.xml" "$work/bytes.json" "$work/bytes.html"

play good --java "$work/no-such-vm" --report "$work/none.xml"
check 'a VM that is not there gives status 2' [ "$status" = 2 ]
check 'and no empty report' [ ! -e "$work/none.xml" ]

"$run" --list >/dev/full 2>"$work/err"
check 'a full disk behind the standard output gives status 2' [ $? = 2 ]
check 'with a message' grep -q 'cannot write the standard output' "$work/err"

# As the manual says, on two hosts that are both this machine.
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    (cd "$work" && PLAY=good TMPDIR=$work parallel --will-cite --sshlogin 1/: -j 2 \
        "$run" --java "$work/vm" --filter "'Get*.error.THREAD_NOT_ALIVE.*'" \
        --shard '{}/3' --report '{}.json' ::: 1 2 3) >"$work/check" 2>&1
    "$run" --merge "$work/1.json" "$work/2.json" "$work/3.json" >"$work/out" 2>&1
    check 'GNU parallel spreads a run' [ "$(tally '^ok ')" = "$(wc -l <"$work/ids")" ]
else
    count=$((count + 1))
    echo "ok $count - GNU parallel spreads a run # SKIP no GNU parallel"
fi

# A hang, and then the runner is killed.
rm -f "$work/pids"
PLAY=hang PIDS=$work/pids TMPDIR=$work "$run" --java "$work/vm" --timeout 500 \
    --filter 'GetFrameCount.error.*' >/dev/null 2>&1 &
runner=$!
i=0
while [ "$(cat "$work/pids" 2>/dev/null | wc -l)" != 2 ] && [ $i -lt 300 ]; do
    sleep 0.1
    i=$((i + 1))
done
kill -KILL $runner
wait $runner 2>/dev/null
gone()
{
    for try in 0 1 2 3 4 5 6 7 8 9; do
        if ! kill -0 $(cat "$work/pids") 2>/dev/null && ! ls -d "$work"/tck.* 2>/dev/null; then
            return 0
        fi
        sleep 0.5
    done
    ps -o pid,args -p "$(paste -sd, "$work/pids")"
    return 1
}
check 'a runner that is killed leaves no VM and no file' gone

# A small file system of its own, where that is allowed.
cat >"$work/small" <<'END'
mount -t tmpfs -o size=64k none "$2/mnt" && PLAY=good TMPDIR=$2/mnt "$1" \
    --java "$2/vm" --filter 'GetFrameCount.error.*'
END
mkdir "$work/mnt"
if unshare -rm mount -t tmpfs -o size=64k none "$work/mnt" 2>/dev/null; then
    unshare -rm sh "$work/small" "$run" "$work" >"$work/out" 2>"$work/err"
    status=$?
    check 'a full temporary directory gives status 2' [ $status = 2 ]
    check 'and one message that names it' \
        grep -q "'$work/mnt/tck.*' has less than" "$work/err"
else
    for name in status message; do
        count=$((count + 1))
        echo "ok $count - a full temporary directory # SKIP no mount without privileges"
    done
fi
