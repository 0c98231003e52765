// SPDX-License-Identifier: MIT
// since: 21
// vm: -esa --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
// vm: --add-opens java.base/jdk.internal.vm=ALL-UNNAMED
import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Continuations and virtual threads with the assertions of the class library: among them,
    that a continuation has frames when it has yielded, and none when it has ended.  (What
    isEmpty says while it runs depends on how the VM has brought the frames back.) */
public class SystemAssertions {
    static final ContinuationScope outer = new ContinuationScope("outer"),
        inner = new ContinuationScope("inner");
    static Continuation first, second;

    static String emptiness(Continuation c) {
        try {
            Method isEmpty = Continuation.class.getDeclaredMethod("isEmpty");
            isEmpty.setAccessible(true);
            return (boolean) isEmpty.invoke(c) ? "empty" : "with frames";
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    static void tell(String when, Continuation c) {
        System.out.println(when + ": " + emptiness(c));
    }

    static void plain() {
        first = new Continuation(outer, () -> {
            System.out.println("first run");
            Continuation.yield(outer);
            System.out.println("second run");
            Continuation.yield(outer);
            System.out.println("third run");
        });
        tell("not run", first);
        for (int i = 1; !first.isDone(); i++) {
            first.run();
            tell("left " + i, first);
        }
    }

    static void nested() {
        first = new Continuation(outer, () -> {
            second = new Continuation(inner, () -> {
                System.out.println("in both");
                Continuation.yield(inner);
                System.out.println("in both again");
                Continuation.yield(outer);
                System.out.println("in both at last");
            });
            while (!second.isDone()) {
                second.run();
                tell("the inner one", second);
            }
        });
        while (!first.isDone()) {
            first.run();
            tell("the outer one", first);
            tell("the inner one", second);
        }
    }

    static void fails() {
        first = new Continuation(outer, () -> {
            Continuation.yield(outer);
            throw new IllegalStateException("on purpose");
        });
        first.run();
        tell("yielded", first);
        try {
            first.run();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        tell("failed", first);
    }

    static final Object lock = new Object();
    static boolean go;

    static void virtual() throws InterruptedException {
        Thread[] threads = new Thread[20];

        for (int i = 0; i < threads.length; i++) {
            int how = i;
            threads[i] = Thread.ofVirtual().start(() -> {
                Thread.yield();
                LockSupport.parkNanos(1000);
                synchronized (lock) {
                    try {
                        while (!go)
                            lock.wait();
                        if (how % 4 == 0)
                            Thread.sleep(1);
                    } catch (InterruptedException e) {
                        System.out.println("interrupted");
                    }
                }
            });
        }
        synchronized (lock) {
            go = true;
            lock.notifyAll();
        }
        for (Thread t : threads)
            t.join();
        System.out.println("joined");
    }

    public static void main(String[] args) throws InterruptedException {
        plain();
        nested();
        fails();
        virtual();
    }
}
