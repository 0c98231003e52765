# SPDX-License-Identifier: MIT
# Lab 10: names and numbers differ by seed.  The program waits for states of threads.

inputs()
{
    new_name Q; class=$r
    for variable in waits blocks; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    between 2 5; n_waiting=$r
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
    static final CountDownLatch latch = new CountDownLatch(1);
    static final Object lock = new Object();

    static void $waits() {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void $blocks() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state)
            Thread.sleep(1);
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < $n_short; i++)
            Thread.ofVirtual().name("short" + i).start(() -> { }).join();
        for (int i = 1; i <= $n_waiting; i++)
            threads.add(Thread.ofVirtual().name("$w" + i).start($class::$waits));
        for (Thread thread : threads)
            await(thread, Thread.State.WAITING);
        synchronized (lock) {
            List<Thread> blocked = new ArrayList<>();
            for (int i = 1; i <= $n_blocked; i++)
                blocked.add(Thread.ofVirtual().name("$b" + i).start($class::$blocks));
            for (Thread thread : blocked)
                await(thread, Thread.State.BLOCKED);
            threads.addAll(blocked);
            Thread look = new Thread(() -> { }, "look");
            look.start();
            look.join();
        }
        latch.countDown();
        for (Thread thread : threads)
            thread.join();
        System.out.println("ended $n_short");
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
    same 'at the end' "virtual started $total ended $total" "$(lines '^virtual ')"
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
    run_checked '' "$class"
    criterion rules
    keeps_rules 'below tiforge check' "^alive .* ($m_waits|$m_blocks)"
}
