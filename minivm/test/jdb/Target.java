// SPDX-License-Identifier: MIT
import java.util.function.IntUnaryOperator;

/** What jdb.t's script works on; the script names lines by their marks. */
public class Target {
    static int counter;
    int level = 1;
    String name = "first";
    long big = 1L << 40;
    double half = 0.5;
    boolean yes = true;
    int[] numbers = { 7, 8, 9 };

    int twice(int n) {
        int r = n * 2; // mark: twice
        level = r;
        return r;
    }

    static int sum(int a, int b) {
        int s = a + b;
        return s; // mark: sum
    }

    static void fail(int n) {
        if (n > 0)
            throw new IllegalStateException("n is " + n); // mark: throw
    }

    static int deep(int n) {
        return n == 0 ? sum(1, 2) : deep(n - 1) + 1;
    }

    static int busy() {
        int total = 0;
        for (int i = 0; i < 3; i++)
            total += i; // mark: loop
        return total;
    }

    static final Object lock = new Object();
    static boolean may_end;

    static void waiter() {
        synchronized (lock) {
            while (!may_end)
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    return;
                }
        }
        System.out.println("worker ends");
    }

    static void threads() throws InterruptedException {
        Thread worker = new Thread(Target::waiter, "worker");
        worker.start();
        while (worker.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        synchronized (lock) { // mark: threads
            may_end = true;
            lock.notifyAll();
        }
        worker.join();
    }

    public static void main(String[] args) throws Exception {
        Target t = new Target(); // mark: first
        int x = 3;
        int y = t.twice(x); // mark: call
        counter = y;
        System.out.println("y " + y);
        System.out.println("sum " + sum(y, 4)); // mark: print
        try {
            fail(2);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage()); // mark: caught
        }
        System.out.println("deep " + deep(3));
        System.out.println("busy " + busy());
        IntUnaryOperator f = n -> n + counter; // mark: lambda
        System.out.println("lambda " + f.applyAsInt(1));
        threads();
        System.out.println(Part.text());
        System.out.println(Part.text()); // mark: part
        String end = t.name + " " + t.level; // mark: end
        System.out.println("counter " + counter + " " + end);
        for (int i = 0; i < 100000; i++)
            counter += i & 1;
        System.out.println("done " + counter);
    }
}
