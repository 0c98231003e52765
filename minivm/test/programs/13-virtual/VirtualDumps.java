// SPDX-License-Identifier: MIT
// since: 25
// vm: -Djdk.trackAllThreads=true -Djdk.virtualThreadScheduler.parallelism=4
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.*;
import java.util.regex.*;

/** Dumps of virtual threads in every state, mounted and not; and of many that move. */
public class VirtualDumps {
    static class Held { }
    static class Contended { }
    static class Awaited { }
    static class Blocker { }

    static final Object held = new Held(), contended = new Contended(), awaited = new Awaited(),
        blocker = new Blocker();
    static final ReentrantLock lock = new ReentrantLock();
    static volatile boolean stop;
    static volatile long turns;

    static void spin() { while (!stop) turns++; }
    static void spinHolding() { synchronized (held) { spin(); } }
    static void park() { while (!stop) LockSupport.park(blocker); }
    static synchronized void parkHolding() { synchronized (new Held()) { synchronized (blocker) { park(); } } }
    static void parkTimed() { while (!stop) LockSupport.parkNanos(blocker, 1L << 50); }
    static void parkUnnamed() { while (!stop) LockSupport.park(); }
    static void enter() { synchronized (contended) { turns++; } }
    static void lock() { lock.lock(); lock.unlock(); }
    static void sleep() { try { Thread.sleep(1L << 40); } catch (InterruptedException e) { turns++; } }
    static void await() { await(awaited, 0); }
    static void awaitTimed() { await(new Awaited(), 1L << 40); }
    static void await(Object o, long millis) {
        synchronized (new Held()) {
            synchronized (o) {
                try {
                    while (!stop)
                        o.wait(millis);
                } catch (InterruptedException e) {
                    turns++;
                }
            }
        }
    }
    static class Pins { static { parkTimed(); } }
    static void pin() { new Pins(); }

    static final String[] names = { "spin", "spinHolding", "park", "parkHolding", "parkTimed", "parkUnnamed",
        "enter", "lock", "sleep", "await", "awaitTimed", "pin" };
    static final Runnable[] bodies = { VirtualDumps::spin, VirtualDumps::spinHolding, VirtualDumps::park,
        VirtualDumps::parkHolding, VirtualDumps::parkTimed, VirtualDumps::parkUnnamed, VirtualDumps::enter,
        VirtualDumps::lock, VirtualDumps::sleep, VirtualDumps::await, VirtualDumps::awaitTimed, VirtualDumps::pin };
    static final Map<String, Thread.State> states = new LinkedHashMap<>();
    static {
        for (String name : names)
            states.put(name, name.startsWith("spin") ? Thread.State.RUNNABLE : name.equals("enter") ? Thread.State.BLOCKED
                : name.endsWith("Timed") || name.equals("sleep") || name.equals("pin") ? Thread.State.TIMED_WAITING
                : Thread.State.WAITING);
    }

    static String dump(ThreadDumpFormat format) throws Exception {
        Path file = Path.of("dump." + format).toAbsolutePath();
        Files.deleteIfExists(file);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toString(), format);
        return Files.readString(file);
    }

    /** A JDK's VM says that a thread in Object.wait owns the monitor that it has given up. */
    static boolean isGivenUp(String line) { return line.contains("locked") && line.contains("Awaited@"); }

    static void showText(String text) {
        for (String name : names) {
            String block = part(text, "\n\n", "\"" + name + "\"");
            block.lines().filter(l -> !isGivenUp(l))
                .forEach(l -> System.out.println(l.replaceFirst("^#\\d+", "#").replaceAll("@[0-9a-f]+", "")
                    .replaceFirst(" \\d{4}-\\d\\d-\\S*$", "")));
        }
    }

    static String part(String text, String separator, String part) {
        return Arrays.stream(text.split(separator)).filter(b -> b.contains(part)).findFirst().orElse("no " + part);
    }

    static String first(String text, String pattern) {
        Matcher m = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
        return m.find() ? m.group(1) : "-";
    }

    static void showJson(String text) {
        for (String name : names) {
            String one = part(text, "\\n {10}\\{", "\"name\": \"" + name + "\"");
            String carrier = first(one, "\"carrier\": \"(\\d+)\"");
            String carried = part(text, "\\n {10}\\{", "\"tid\": \"" + carrier + "\"");
            System.out.println(name + " " + first(one, "\"virtual\": (\\w+)") + " " + first(one, "\"state\": \"(\\w+)")
                + " " + first(one, "\"parkBlocker\": \\{\\s*\"object\": \"([^@]*)")
                + " " + first(one, "\"blockedOn\": \"([^@]*)") + " " + first(one, "\"waitingOn\": \"([^@]*)")
                + " " + (carrier.equals("-") ? "unmounted" : first(carried, "\"name\": \"(\\D*)")
                    + first(carried, "\"stack\": \\[\\s*\"([^\"]*)") + (carried.contains("VirtualDumps") ? "?" : "")));
        }
    }

    static void inEachState() throws Exception {
        List<Thread> all = new ArrayList<>();
        lock.lock();
        synchronized (contended) {
            for (int i = 0; i < names.length; i++)
                all.add(Thread.ofVirtual().name(names[i]).start(bodies[i]));
            for (Thread t : all)
                while (t.getState() != states.get(t.getName())
                       || t.getStackTrace().length < (t.getName().equals("enter") ? 2 : 3)
                          && !t.getName().equals("spin"))
                    Thread.sleep(1);
            Thread.sleep(100);
            showText(dump(ThreadDumpFormat.TEXT_PLAIN));
            showJson(dump(ThreadDumpFormat.JSON));
            for (Thread t : all) {
                StackTraceElement[] trace = t.getStackTrace();
                System.out.println(t.getName() + " " + t.getState() + " " + trace[trace.length - 1].getMethodName() + " "
                    + Arrays.stream(trace).filter(e -> e.getClassName().startsWith("VirtualDumps")).toList());
            }
        }
        stop = true;
        lock.unlock();
        for (Thread t : all) {
            LockSupport.unpark(t);
            t.interrupt();
        }
        for (Thread t : all)
            t.join();
    }

    /** The JDK's VM (25.0.3) crashes now and then when it dumps threads that move. */
    static final boolean isJdkVm = !System.getProperty("java.vm.name").contains("minivm");

    /** The oldest frame that a trace shows; before and after run() the natives of the transition. */
    static boolean isWhole(String oldest) {
        return oldest.contains("VirtualThread.run(") || oldest.contains("VirtualThread.notifyJvmti");
    }

    /** Many that move, while another thread looks: each stack is whole, and has the virtual thread's frames only. */
    static void whileTheyMove() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        Object[] monitors = { new Object(), new Object(), new Object() };
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int seed = i;
            all.add(Thread.ofVirtual().name("moves").start(() -> {
                for (int n = 0; n < 400; n++) {
                    switch ((n + seed) % 4) {
                    case 0 -> Thread.yield();
                    case 1 -> LockSupport.parkNanos(20_000);
                    case 2 -> { synchronized (monitors[n % 3]) { Thread.yield(); } }
                    default -> { synchronized (monitors[seed % 3]) { turns++; } }
                    }
                }
                ended.incrementAndGet();
            }));
        }
        int wrong = 0, looks = 0;
        do {
            for (Thread t : all) {
                StackTraceElement[] trace = t.getStackTrace();
                if (trace.length != 0 && !isWhole(trace[trace.length - 1].toString())) {
                    System.out.println(Arrays.toString(trace));
                    wrong++;
                }
                t.getState();
            }
            String text = isJdkVm ? "" : dump(ThreadDumpFormat.TEXT_PLAIN);
            for (String block : text.split("\n\n")) {
                List<String> lines = block.lines().toList();
                String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
                if (block.contains("\"moves\"") && lines.size() > 1 && !isWhole(last)) {
                    System.out.println(block);
                    wrong++;
                }
                if (block.contains("ForkJoinPool-") && block.contains("VirtualDumps"))
                    wrong++;
            }
            looks++;
        } while (ended.get() < all.size());
        System.out.println("wrong stacks: " + wrong + (looks > 0 ? "" : ", no look"));
    }

    public static void main(String[] args) throws Exception {
        inEachState();
        whileTheyMove();
    }
}
