/* SPDX-License-Identifier: MIT */
/* A discrete event simulation with coroutines made of threads. */
import java.util.*;
import java.util.concurrent.*;

public class Scheduler {
    interface Body {
        void run(Process self) throws InterruptedException;
    }

    final PriorityQueue<long[]> agenda = new PriorityQueue<>((a, b) -> a[0] != b[0]
        ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]));
    final List<Process> processes = new ArrayList<>();
    final StringBuilder log = new StringBuilder();
    long now, sequence;

    class Process {
        final String name;
        final Thread thread;
        final Semaphore turn = new Semaphore(0), back = new Semaphore(0);

        Process(String name, Body body) {
            this.name = name;
            thread = new Thread(() -> {
                try {
                    turn.acquire();
                    body.run(this);
                } catch (InterruptedException e) {
                    log.append(name).append(" interrupted\n");
                }
                back.release();
            }, name);
            thread.setDaemon(true);
            agenda.add(new long[] { now, sequence++, processes.size() });
            processes.add(this);
            thread.start();
        }

        void hold(long time) throws InterruptedException {
            agenda.add(new long[] { now + time, sequence++, processes.indexOf(this) });
            back.release();
            turn.acquire();
        }

        void say(String s) {
            log.append(now).append(' ').append(name).append(' ').append(s).append('\n');
        }
    }

    void run() throws InterruptedException {
        while (!agenda.isEmpty()) {
            long[] next = agenda.poll();
            now = next[0];
            Process p = processes.get((int) next[2]);
            p.turn.release();
            p.back.acquire();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Scheduler s = new Scheduler();
        int[] queue = { 0 }, served = { 0 };
        s.new Process("arrivals", self -> {
            Random r = new Random(3);
            for (int i = 0; i < 12; i++) {
                queue[0]++;
                self.say("customer " + i + ", waiting " + queue[0]);
                self.hold(1 + r.nextInt(9));
            }
        });
        for (int k = 0; k < 2; k++) {
            s.new Process("clerk" + k, self -> {
                while (served[0] < 12) {
                    if (queue[0] > 0) {
                        queue[0]--;
                        served[0]++;
                        self.hold(7);
                        self.say("served");
                    } else {
                        self.hold(3);
                    }
                }
            });
        }
        s.run();
        System.out.print(s.log);
        System.out.println(served[0] + " " + queue[0]);
    }
}
