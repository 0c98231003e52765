/* SPDX-License-Identifier: MIT */
/* The program of the figure order.svg.  Its two threads are never at work at the same
   time, so the events come in one order only. */
public class Order {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Worker();

        synchronized (lock) {
            worker.start();
            while (worker.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
        }
        worker.join();
    }
}

class Worker extends Thread {
    Worker() {
        super("worker");
    }

    @Override
    public void run() {
        synchronized (Order.lock) {
            try {
                throw new Failure();
            } catch (Failure e) {
                return;
            }
        }
    }
}

class Failure extends RuntimeException {
}
