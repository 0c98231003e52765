// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** Stack traces and walks of virtual threads that run, are parked, and have ended. */
public class VirtualWalking {
    static void innermost(CountDownLatch parked, CountDownLatch go) throws InterruptedException {
        parked.countDown();
        go.await();
    }

    static void middle(CountDownLatch parked, CountDownLatch go) throws InterruptedException {
        innermost(parked, go);
    }

    static List<String> own(StackTraceElement[] trace) {
        return java.util.Arrays.stream(trace).filter(e -> e.getClassName().startsWith("VirtualWalking"))
            .map(e -> e.getMethodName().replaceAll("lambda.*", "lambda"))
            .collect(Collectors.toList());
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch parked = new CountDownLatch(1), go = new CountDownLatch(1);
        Thread t = Thread.ofVirtual().unstarted(() -> {
            try {
                middle(parked, go);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        System.out.println("new " + t.getStackTrace().length);
        t.start();
        parked.await();
        while (t.getState() != Thread.State.WAITING)
            Thread.onSpinWait();
        System.out.println("parked " + own(t.getStackTrace()));
        go.countDown();
        t.join();
        System.out.println("ended " + t.getStackTrace().length);
        Thread inside = Thread.startVirtualThread(() -> {
            System.out.println("current " + own(Thread.currentThread().getStackTrace()));
            System.out.println("walk " + StackWalker.getInstance().walk(
                s -> s.map(f -> f.getMethodName().replaceAll("lambda.*", "lambda"))
                     .collect(Collectors.toList())));
            System.out.println("caller " + Runner.caller());
        });
        inside.join();
        boolean[] stop = new boolean[1];
        Thread busy = Thread.startVirtualThread(() -> spin(stop));
        List<String> trace;
        do
            trace = own(busy.getStackTrace());
        while (!trace.contains("spin"));
        System.out.println("busy " + trace.contains("lambda"));
        synchronized (stop) {
            stop[0] = true;
        }
        busy.join();
        System.out.println("platform only: "
                           + Thread.getAllStackTraces().keySet().stream().noneMatch(Thread::isVirtual));
    }

    static void spin(boolean[] stop) {
        for (;;)
            synchronized (stop) {
                if (stop[0])
                    return;
            }
    }

    static class Runner {
        static String caller() {
            return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass().getName();
        }
    }
}
