// SPDX-License-Identifier: MIT
/** Threads that change the heap all the time; what they leave fits together at any moment. */
public class Busy {
    static final class Node {
        final long number;
        final Node next;

        Node(long number, Node next) {
            this.number = number;
            this.next = next;
        }
    }

    /** As many nodes as its length says, with its number. */
    static final class Chain {
        final long number;
        final int length;
        final Node head;

        Chain(long number) {
            Node node = null;
            this.number = number;
            length = (int) (number % 200) + 1;
            for (int i = 0; i < length; i++)
                node = new Node(number, node);
            head = node;
        }
    }

    /** Counts: first, then the chain, then second have the next number. */
    static final class Worker extends Thread {
        volatile long first, second;
        volatile Chain chain = new Chain(0);

        Worker() {
            setDaemon(true);
        }

        @Override
        public void run() {
            for (long n = 1;; n++) {
                first = n;
                chain = new Chain(n);
                second = n;
            }
        }
    }

    static final Worker[] workers = new Worker[16];

    /** Threads that begin and end. */
    static void startOthers() {
        for (;;)
            try {
                Thread other = new Thread(() -> new Chain(1));
                other.start();
                other.join();
            } catch (InterruptedException e) {
                return;
            }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < workers.length; i++)
            (workers[i] = new Worker()).start();
        Thread others = new Thread(Busy::startOthers);
        others.setDaemon(true);
        others.start();
        System.out.println("ready " + ProcessHandle.current().pid());
        while (System.in.read() >= 0)
            ;
    }
}
