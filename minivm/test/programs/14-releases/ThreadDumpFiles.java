// SPDX-License-Identifier: MIT
// since: 21
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.*;

/** HotSpotDiagnosticMXBean.dumpThreads: plain and JSON, with virtual threads and containers. */
public class ThreadDumpFiles {
    static final CountDownLatch release = new CountDownLatch(1);

    static void waitInside(CountDownLatch ready) {
        ready.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void parkInside(CountDownLatch ready) {
        ready.countDown();
        while (release.getCount() > 0)
            LockSupport.park();
    }

    static String attempt(Callable<?> c) {
        try {
            return "" + c.call();
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    public static void main(String[] args) throws Exception {
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        CountDownLatch ready = new CountDownLatch(6);
        Thread platform = Thread.ofPlatform().name("waits").start(() -> waitInside(ready));
        Thread parked = Thread.ofVirtual().name("alone").start(() -> parkInside(ready));
        ExecutorService perTask = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("task-", 0).factory());
        for (int i = 0; i < 4; i++)
            perTask.submit(() -> waitInside(ready));
        ready.await();
        for (boolean waiting = false; !waiting; Thread.sleep(1))
            waiting = platform.getState() == Thread.State.WAITING && parked.getState() == Thread.State.WAITING;
        String plain = Path.of("plain.txt").toAbsolutePath().toString();
        bean.dumpThreads(plain, ThreadDumpFormat.TEXT_PLAIN);
        String text = Files.readString(Path.of(plain));
        System.out.println(text.lines().findFirst().get().matches("\\d+") + " "
            + text.contains("\"main\"") + " " + text.contains("\"waits\""));
        System.out.println(Stream.of(text.split("\n\n")).filter(b -> b.contains("\"waits\""))
            .findFirst().get().lines().filter(l -> l.contains("ThreadDumpFiles.waitInside")).count());
        System.out.println(IntStream.range(0, 4).mapToObj(i -> text.contains("\"task-" + i + "\" virtual")).toList());
        System.out.println(text.lines().filter(l -> l.contains("ThreadDumpFiles.waitInside")).count());
        String json = Path.of("dump.json").toAbsolutePath().toString();
        bean.dumpThreads(json, ThreadDumpFormat.JSON);
        String all = Files.readString(Path.of(json));
        System.out.println(all.strip().startsWith("{") + " " + all.strip().endsWith("}") + " "
            + (all.chars().filter(c -> c == '{').count() == all.chars().filter(c -> c == '}').count()) + " "
            + all.contains("threadContainers") + " " + all.contains("\"task-3\""));
        System.out.println(all.split("ThreadDumpFiles.waitInside", -1).length - 1);
        System.out.println(attempt(() -> {
            bean.dumpThreads(plain, ThreadDumpFormat.TEXT_PLAIN);
            return "overwritten";
        }) + " " + attempt(() -> {
            bean.dumpThreads("relative.txt", ThreadDumpFormat.JSON);
            return "relative";
        }) + " " + attempt(() -> {
            bean.dumpThreads("/no/such/folder/x", ThreadDumpFormat.JSON);
            return "there";
        }));
        release.countDown();
        LockSupport.unpark(parked);
        perTask.close();
        platform.join();
        parked.join();
        System.out.println("ended");
    }
}
