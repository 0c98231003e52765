// SPDX-License-Identifier: @license@
// @copyright@
/** Calls methods so many times as stands beside them. */
public class Target {
    static int work(int i) {            // 1000
        return i + 1;
    }

    static int depth(int n) {           // 6
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    static void fails(int n) {          // 3, all by an exception
        if (n == 0)
            throw new IllegalStateException();
        fails(n - 1);
    }

    static class Worker extends Thread {
        @Override
        public void run() {             // 2
            for (int i = 0; i < 250; i++)
                work(i);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < 500; i++)
            sum = work(sum);
        Worker[] workers = { new Worker(), new Worker() };
        for (Worker worker : workers)
            worker.start();
        for (Worker worker : workers)
            worker.join();
        try {
            fails(2);
        } catch (IllegalStateException expected) {
            sum += depth(5);
        }
        System.out.println("sum " + sum);
    }
}
