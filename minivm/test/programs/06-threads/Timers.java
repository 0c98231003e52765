/* SPDX-License-Identifier: MIT */
/* java.util.Timer: delays, repeats, cancellation, a failing task. */
import java.util.*;
import java.util.concurrent.*;

public class Timers {
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer("timer", true);
        BlockingQueue<String> q = new LinkedBlockingQueue<>();
        CountDownLatch both = new CountDownLatch(1);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                try {
                    both.await();
                } catch (InterruptedException e) {
                    q.add("interrupted");
                }
            }
        }, 0);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                q.add("late " + Thread.currentThread().getName());
            }
        }, 40);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                q.add("early");
            }
        }, 1);
        both.countDown();
        System.out.println(q.take());
        System.out.println(q.take());
        CountDownLatch three = new CountDownLatch(3);
        TimerTask repeat = new TimerTask() {
            int n;

            @Override
            public void run() {
                if (++n <= 3) {
                    three.countDown();
                } else {
                    System.out.println(cancel());
                    q.add("stopped");
                }
            }
        };
        timer.scheduleAtFixedRate(repeat, 0, 2);
        three.await();
        System.out.println(q.take());
        System.out.println(repeat.cancel());
        timer.purge();
        timer.cancel();
        try {
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                }
            }, 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
