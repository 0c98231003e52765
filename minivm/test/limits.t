#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Limits of the address space (ulimit -v): a program runs, or the VM says what there is
# no room for and ends with exit code 1.  It neither crashes nor aborts.

top_builddir=${top_builddir:-$PWD}
work=$top_builddir/minivm/test/${work_name:-limits}.work
home=${JDK17:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
tested=$top_builddir/minivm/minivm

if [ -n "$SANITIZER_RUNTIME" ]; then
    echo "1..0 # SKIP a sanitizer takes more address space"
    exit 0
fi
rm -rf "$work" && mkdir -p "$work" || exit 1
cat >"$work/Limited.java" <<'EOF'
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class Limited {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "hello" -> {
            Thread thread = new Thread(() -> System.out.println("hello"));
            thread.start();
            thread.join();
        }
        case "fill" -> fill();
        case "threads" -> threads();
        default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static void fill() {
        List<byte[]> all = new ArrayList<>();
        try {
            for (;;)
                all.add(new byte[1 << 20]);
        } catch (OutOfMemoryError e) {
            all = null;
            System.out.println("full");
        }
    }

    static void threads() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        try {
            while (all.size() < 3000) {
                Thread t = new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
                t.start();
                all.add(t);
            }
        } catch (OutOfMemoryError e) {
            System.out.println("no more");
        }
        end.countDown();
        for (Thread t : all)
            t.join();
        System.out.println("ended");
    }
}
EOF
"$home/bin/javac" -d "$work" "$work/Limited.java" || exit 1

run()
{
    limit=$1
    shift
    (ulimit -c 0; ulimit -v "$limit" && exec timeout -s KILL 120 "$tested" "$@") \
        >"$work/out" 2>"$work/err"
    status=$?
}

release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
cat >"$work/Virtual.java" <<'EOF'
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Many virtual threads, each with a few frames or with deep stacks, that wait until all have. */
public class Virtual {
    static volatile boolean go;
    static final AtomicInteger started = new AtomicInteger(), ended = new AtomicInteger(),
        failed = new AtomicInteger();

    static int descend(int depth) {
        if (depth > 0)
            return descend(depth - 1) + 1;
        started.incrementAndGet();
        while (!go)
            LockSupport.park();
        return 0;
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]), depth = Integer.parseInt(args[1]);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
            all.add(Thread.ofVirtual().start(() -> {
                try {
                    if (descend(depth) == depth)
                        ended.incrementAndGet();
                } catch (OutOfMemoryError e) {
                    failed.incrementAndGet();
                }
            }));
        for (int i = 0; i < 400 && started.get() + failed.get() < count; i++)
            Thread.sleep(5);
        go = true;
        for (Thread t : all)
            LockSupport.unpark(t);
        for (Thread t : all)
            t.join();
        System.out.println(ended.get() == count ? "all ended" : "some ended");
    }
}
EOF
cat >"$work/FullHeap.java" <<'EOF'
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that yield, park, enter a monitor and wait for the first time while the
 * heap is full: they do so, or OutOfMemoryError is thrown there, and nobody is lost.  What
 * has a timeout is no part of it: the class library allocates for that where nobody would
 * catch the error.
 */
public class FullHeap {
    static final int ROUNDS = 8;
    static volatile boolean full;
    static volatile Object[] filling;
    static int entered;
    static final AtomicInteger ready = new AtomicInteger(), told = new AtomicInteger();

    /** Fills the heap to the last bytes. */
    static void fill() {
        for (int length = 1 << 18; length >= 4; length /= 2)
            try {
                for (;;) {
                    Object[] next = new Object[length];
                    next[0] = filling;
                    filling = next;
                }
            } catch (OutOfMemoryError e) {
                // and now smaller ones
            }
    }

    static void act(int kind) throws InterruptedException {
        switch (kind) {
        case 0 -> Thread.yield();
        case 1 -> LockSupport.park();
        case 2 -> {
            synchronized (FullHeap.class) {
                entered++;
            }
        }
        default -> {
            synchronized (FullHeap.class) {
                FullHeap.class.wait();
            }
        }
        }
    }

    static void run(int kind) {
        ready.incrementAndGet();
        while (!full)
            Thread.onSpinWait();
        try {
            act(kind);
        } catch (OutOfMemoryError | InterruptedException e) {
            // the first of them is what may come
        }
        told.incrementAndGet();
    }

    public static void main(String[] args) throws Exception {
        Thread warm = Thread.ofVirtual().start(Thread::yield);
        warm.join(); // now most classes are there
        for (int round = 0; round < ROUNDS; round++) {
            int kind = round % 4;
            Thread t = Thread.ofVirtual().unstarted(() -> run(kind));
            t.start();
            while (ready.get() <= round)
                Thread.onSpinWait();
            synchronized (FullHeap.class) {
                fill();
                full = true;
                for (int i = 0; i < 100_000 && told.get() <= round; i++)
                    Thread.onSpinWait();
                filling = null;
            }
            while (told.get() <= round) {
                LockSupport.unpark(t);
                synchronized (FullHeap.class) {
                    FullHeap.class.notifyAll();
                }
            }
            t.join();
            full = false;
        }
        System.out.println(told.get() + " of " + ROUNDS);
    }
}
EOF
[ "$release" -lt 21 ] ||
    "$home/bin/javac" -d "$work" "$work/Virtual.java" "$work/FullHeap.java" || exit 1

number=0
report()
{
    number=$((number + 1))
    if [ "$1" = good ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        echo "# status $status"
        sed 's/^/# /' "$work/out" "$work/err" | head -20
    fi
}

# Either all is well, or a reason and exit code 1.
ends_cleanly()
{
    case $status in
    0) grep -q "$1" "$work/out" ;;
    1) grep -q -e 'Could not reserve enough space' -e 'out of memory' -e 'OutOfMemory' \
           -e 'Cannot allocate memory' -e 'annot create' -e 'annot allocate' \
           "$work/out" "$work/err" ;;
    *) false ;;
    esac
}

for limit in 100000 200000 250000 300000 350000 400000 450000 500000; do
    run $limit -cp "$work" Limited hello
    ends_cleanly hello && result=good || result=bad
    report $result "$limit kB: runs or says why not"
done
for limit in 600000 800000 1000000 1500000 2000000 6000000; do
    run $limit -cp "$work" Limited hello
    [ $status = 0 ] && grep -q hello "$work/out" && result=good || result=bad
    report $result "$limit kB: runs"
done
for limit in 400000 600000 1000000 2000000; do
    run $limit -cp "$work" Limited fill
    ends_cleanly full && result=good || result=bad
    report $result "$limit kB: a full heap"
    run $limit -Xmx256m -cp "$work" Limited hello
    ends_cleanly hello && result=good || result=bad
    report $result "$limit kB: 256 MB of heap"
    run $limit -cp "$work" Limited threads
    ends_cleanly ended && result=good || result=bad
    report $result "$limit kB: many threads"
done
run 800000 -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=localhost:0 \
    -cp "$work" Limited hello
[ $status = 0 ] && grep -q hello "$work/out" && result=good || result=bad
report $result "800000 kB: with an agent"
run 2000000 -Xmx3g -cp "$work" Limited hello
[ $status = 1 ] &&
    grep -q 'Could not reserve enough space for object heap' "$work/out" && result=good ||
    result=bad
report $result "a heap larger than the limit"

# A virtual thread needs a stack while it is mounted only, so many live in few stacks.
if [ "$release" -ge 21 ]; then
    for limit in 800000 1000000 1500000; do
        run $limit -Xmx64m -cp "$work" Virtual 3000 3
        [ $status = 0 ] && grep -q "all ended" "$work/out" && result=good || result=bad
        report $result "$limit kB: 3000 virtual threads"
    done
    for limit in 600000 700000; do
        run $limit -Xmx64m -cp "$work" Virtual 400 1000
        [ $status = 0 ] && grep -q "all ended" "$work/out" && result=good || result=bad
        report $result "$limit kB: 400 virtual threads with deep stacks"
    done
    # Where there is no room for the frames of all, the others end, in order.
    for limit in 600000 800000 1500000; do
        run $limit -Xmx64m -cp "$work" Virtual 3000 1000
        [ $limit = 1500000 ] && ending='^all ended$' || ending='^[a-z]* ended$'
        [ $status = 0 ] && grep -q "$ending" "$work/out" && result=good || result=bad
        report $result "$limit kB: 3000 virtual threads with deep stacks"
    done
    run unlimited -Xmx16m -cp "$work" FullHeap
    [ $status = 0 ] && grep -q "^8 of 8$" "$work/out" && result=good || result=bad
    report $result "a full heap when virtual threads yield and wait"
fi
echo "1..$number"
