# SPDX-License-Identifier: MIT
# Lab 6: threads, classes, and the length of the circle differ by seed; there is a second one
# of two threads.  The program waits for states of threads, never for times, so each
# contention is certain, and for the end of the agent's callbacks (probe.c), so that nothing
# changes while the agent asks.  The option class has the beginning of a name, which stands
# in the middle of another one.

inputs()
{
    new_name p; package=$r
    new_name L; lock=$r
    new_name t; holder=$r
    new_name t; waiter=$r
    new_name t; hanger=$r
    between 3 4; circle=$r
    members=
    i=0
    while [ $((i += 1)) -le "$circle" ]; do
        new_name m; members="$members $r"
    done
    random 10000; number=$r
    mkdir "$package"
    cat >"$package/$lock.java" <<END
package $package;

public class $lock {
}
END
    mkdir -p "o/$package"
    echo "package o.$package; public class $lock { }" >"o/$package/$lock.java"
    mkdir probe
    cat >probe/Waiting.java <<END
package probe;

public class Waiting {
    static {
        System.loadLibrary("probe");
    }

    /** The library has to be there before the first event that it is to see. */
    public static void load() {
    }

    /** Does the thread wait for the object's monitor, and have agents been told so? */
    private static native boolean isBlocked(Thread thread, Object object);

    public static void awaitBlocked(Thread thread, Object object) throws InterruptedException {
        while (!isBlocked(thread, object))
            Thread.sleep(1);
    }
}
END
    cat >"$package/Main.java" <<END
package $package;

import static probe.Waiting.awaitBlocked;

public class Main {
    static final Object quiet = new Object();

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state)
            Thread.sleep(1);
    }

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void look() throws InterruptedException {
        start("look", () -> { }).join();
    }

    /** One holds the lock until the other waits for it. */
    static void contend(Object lock) throws InterruptedException {
        Thread[] threads = new Thread[2];
        boolean[] held = new boolean[1];
        threads[0] = start("$holder", () -> {
            synchronized (lock) {
                synchronized (held) {
                    held[0] = true;
                    held.notifyAll();
                }
                try {
                    synchronized (held) {
                        while (threads[1] == null)
                            held.wait();
                    }
                    awaitBlocked(threads[1], lock);
                    look();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                System.out.println("$holder goes");
            }
        });
        synchronized (held) {
            while (!held[0])
                held.wait();
            threads[1] = start("$waiter", () -> {
                synchronized (lock) {
                    held[0] = false;
                }
            });
            held.notifyAll();
        }
        threads[0].join();
        threads[1].join();
    }

    /** Each thread takes its lock, and when all have theirs, that of the next one. */
    static void circle(String... names) throws InterruptedException {
        int n = names.length;
        $lock[] locks = new $lock[n];
        int[] ready = new int[1];
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++)
            locks[i] = new $lock();
        for (int i = 0; i < n; i++) {
            int me = i;
            threads[i] = start(names[i], () -> {
                synchronized (locks[me]) {
                    synchronized (quiet) {
                        ready[0]++;
                        quiet.notifyAll();
                        while (ready[0] < n)
                            try {
                                quiet.wait();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                    }
                    synchronized (locks[(me + 1) % n]) {
                        ready[0] = 0;
                    }
                }
            });
        }
        for (int i = 0; i < n; i++)
            awaitBlocked(threads[i], locks[(i + 1) % n]);
        awaitBlocked(start("$hanger", () -> {
            synchronized (locks[0]) {
                ready[0] = 0;
            }
        }), locks[0]);
    }

    /** Two own what the other names, but one of them is in Object.wait. */
    static void waitsOnly() throws InterruptedException {
        Object outer = new Object(), inner = new Object();
        await(start("waits", () -> {
            synchronized (outer) {
                synchronized (inner) {
                    try {
                        inner.wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }), Thread.State.WAITING);
        awaitBlocked(start("blocks", () -> {
            synchronized (inner) {
                synchronized (outer) {
                    outer.notifyAll();
                }
            }
        }), outer);
        look();
    }

    public static void main(String[] args) throws InterruptedException {
        probe.Waiting.load();
        Thread idle = start("idle", () -> {
            synchronized (args) {
                try {
                    args.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        await(idle, Thread.State.WAITING);
        contend(new Object());
        contend(new o.$package.$lock());
        contend(new $lock());
        if (args.length > 0) {
            circle(args);
            look();
        } else
            waitsOnly();
        System.out.println("ended $number");
    }
}
END
    build_probe
    keep prefix "$package.${lock%??}"
    keep main "$package.Main" && keep lock "$package.$lock" && keep members "$members"
    keep holder "$holder" && keep waiter "$waiter" && keep last "ended $number"
    keep two "$(printf '%s\n' $members | LC_ALL=C sort | head -n 2 | tr '\n' ' ' | sed 's/ $//')"
    keep sorted "$(printf '%s\n' $members | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')"
}

# The programs' own library is beside their classes.
judge()
{
    native="--enable-native-access=ALL-UNNAMED -Djava.library.path=$box/seen/classes/"
    # shellcheck disable=SC2086
    run "class=$prefix" $native "$main"
    criterion load
    works 'the program does its work' "$last"
    criterion wait
    same 'who waits for what' "wait $waiter for $lock" \
        "$(lines '^wait ' | sed 's/ owner.*//')"
    criterion owner
    same 'the owner' "owner $holder" \
        "$(lines "^wait .*$waiter " | sed 's/.* owner/owner/' | uniq)"
    criterion entered
    same 'who has it then' "enter $waiter $lock" "$(lines '^enter ')"
    # The owner says a line before it goes.
    same 'and not before it has it' "$holder goes
enter $waiter $lock" "$(lines "^enter |^$holder goes" | tail -n 2)"
    criterion none
    same 'threads wait, but in no circle' 'deadlock none' "$(lines '^deadlock' | uniq)"

    # shellcheck disable=SC2086
    run "class=$prefix" $native "$main" $members
    criterion cycle
    same 'the threads of the circle' "deadlock $sorted" \
        "$(lines '^deadlock' | tail -n 1)"
    # No lock of this circle is of the option's classes.
    # shellcheck disable=SC2086
    run "class=$main" $native "$main" $two
    same 'a circle of two' "deadlock $two" "$(lines '^deadlock' | tail -n 1)"

    # shellcheck disable=SC2086
    run_checked "class=$prefix" $native "$main"
    criterion rules
    keeps_rules 'below tiforge check' "$waiter" "wait $waiter for $lock owner $holder"
}
