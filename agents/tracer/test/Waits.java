// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.InputStreamReader;

/**
 * Does what lines of input say, so that traces begin and end at known places: "work" calls
 * work, "wake" lets the other thread leave its calls, "end" ends.
 */
public class Waits {
    static final Object monitor = new Object();
    static boolean woken;

    static int work(int n) {
        return n == 0 ? 0 : work(n - 1);
    }

    static void sleeper(int n) throws InterruptedException {
        if (n > 0) {
            sleeper(n - 1);
            return;
        }
        synchronized (monitor) {
            System.out.println("sleeping");
            while (!woken)
                monitor.wait();
        }
    }

    static void sleep() {
        try {
            sleeper(2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static boolean obey(String line, Thread other) throws Exception {
        if (line == null || line.equals("end"))
            return false;
        if (line.equals("work"))
            work(1);
        else
            synchronized (monitor) {
                woken = true;
                monitor.notify();
            }
        if (woken)
            other.join();
        System.out.println("did " + line);
        return true;
    }

    static void loop(Thread other) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (obey(in.readLine(), other))
            ;
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread("other") {
            @Override
            public void run() {
                Waits.sleep();
            }
        };
        other.setDaemon(true);
        other.start();
        loop(other);
    }
}
