# SPDX-License-Identifier: MIT
# Lab 10: names and numbers differ by seed.  The program waits for states of threads, and
# lets one virtual thread begin or end at a time, and one wait for ever; the second program
# lets many at once.

inputs()
{
    new_name Q; class=$r
    new_name R; many=$r
    between 20 30; each=$r
    keep many "$many" && keep last_many "together $((4 * each))"
    keep total_many "$((4 * each))"
    for variable in waits blocks; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    between 18 30; n_waiting=$r
    between 1 3; n_blocked=$r
    between 5 30; n_short=$r
    new_name w; w=$r
    new_name b; b=$r
    keep class "$class" && keep last "ended $n_short"
    keep total "$((n_waiting + n_blocked + n_short))"
    keep all "$({ i=0; while [ $((i += 1)) -le $n_waiting ]; do
            echo "$w$i waiting $waits"; done
        i=0; while [ $((i += 1)) -le $n_blocked ]; do
            echo "$b$i blocked $blocks"; done; } | LC_ALL=C sort)"
    cat >"$class.java" <<END
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class $class {
    static void $waits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void $blocks(Object lock) {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state)
            Thread.sleep(1);
    }

    /** Each blocked one has a lock of its own, so that they go on one by one. */
    static void block(int left) throws InterruptedException {
        if (left == 0) {
            Thread look = new Thread(() -> { }, "look");
            look.start();
            look.join();
            return;
        }
        Object lock = new Object();
        Thread thread;
        synchronized (lock) {
            thread = Thread.ofVirtual().name("$b" + left).start(() -> $blocks(lock));
            await(thread, Thread.State.BLOCKED);
            block(left - 1);
        }
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<CountDownLatch> latches = new ArrayList<>();
        for (int i = 0; i < $n_short; i++)
            Thread.ofVirtual().name("short" + i).start(() -> { }).join();
        for (int i = 1; i <= $n_waiting; i++) {
            CountDownLatch latch = new CountDownLatch(1);
            Thread thread = Thread.ofVirtual().name("$w" + i).start(() -> $waits(latch));
            await(thread, Thread.State.WAITING);
            threads.add(thread);
            latches.add(latch);
        }
        block($n_blocked);
        // The last one does not end.
        for (int i = 0; i < threads.size() - 1; i++) {
            latches.get(i).countDown();
            threads.get(i).join();
        }
        System.out.println("ended $n_short");
    }
}
END
    cat >"$many.java" <<END
import java.util.ArrayList;
import java.util.List;

public class $many {
    /** Four times as many at once as one thread starts here. */
    static void starts() {
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < $each; i++)
                threads.add(Thread.ofVirtual().name("many" + i).start(() -> { }));
            for (Thread thread : threads)
                thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] starters = new Thread[4];
        for (int i = 0; i < starters.length; i++)
            (starters[i] = new Thread($many::starts)).start();
        Thread look = new Thread(() -> { }, "look");
        look.start();
        look.join();
        for (Thread starter : starters)
            starter.join();
        System.out.println("together " + starters.length * $each);
    }
}
END
}

judge()
{
    run '' "$class"
    criterion load
    works 'the program does its work' "$last"
    criterion count
    same 'at the end' "virtual started $total ended $((total - 1))" "$(lines '^virtual ')"
    criterion listed
    same 'in GetAllThreads' 'listed 0' "$(lines '^listed ')"
    matches 'but there are some' '^alive .'
    criterion alive
    same 'by name' "$(say "$all" | cut -d' ' -f1)" \
        "$(lines '^alive ' | cut -d' ' -f2)"
    criterion state
    same 'what they do' "$(say "$all" | cut -d' ' -f2 | sort)" \
        "$(lines '^alive ' | grep -v short | cut -d' ' -f3 | sort)"
    criterion stack
    same 'where they are' "$(say "$all" | cut -d' ' -f3 | sort)" \
        "$(lines '^alive ' | grep -v short | cut -d' ' -f4 | sort)"
    # On four carriers at least, so that callbacks meet.
    run_watched '' -Djdk.virtualThreadScheduler.parallelism=4 "$many"
    criterion lock
    has_no_races 'the list and the numbers are protected' \
        "^virtual started $total_many " "virtual started $total_many ended $total_many"
    run_checked '' "$class"
    criterion rules
    keeps_rules 'below tiforge check' "^alive .* ($m_waits|$m_blocks)"
}
