/* SPDX-License-Identifier: MIT */
/* A simulated bank: many threads, transfers, an audit that never fails. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Bank {
    static final class Account {
        final int id;
        private long balance;
        private final List<Long> history = new ArrayList<>();

        Account(int id, long balance) {
            this.id = id;
            this.balance = balance;
        }

        synchronized void change(long by) {
            if (balance + by < 0) {
                throw new InsufficientFunds(id, by);
            }
            balance += by;
            history.add(by);
        }
    }

    static final class InsufficientFunds extends RuntimeException {
        private static final long serialVersionUID = 1;

        InsufficientFunds(int id, long by) {
            super("account " + id + " by " + by);
        }
    }

    static void transfer(Account from, Account to, long amount) {
        Account first = from.id < to.id ? from : to, second = from.id < to.id ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.change(-amount);
                to.change(amount);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account[] accounts = new Account[20];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new Account(i, 1000);
        }
        AtomicInteger done = new AtomicInteger(), refused = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(5);
        List<Callable<Integer>> jobs = new ArrayList<>();
        for (int j = 0; j < 10; j++) {
            int seed = j;
            jobs.add(() -> {
                Random r = new Random(seed);
                for (int i = 0; i < 500; i++) {
                    int a = r.nextInt(20), b = r.nextInt(20);
                    if (a == b) {
                        continue;
                    }
                    try {
                        transfer(accounts[a], accounts[b], 1 + r.nextInt(400));
                        done.incrementAndGet();
                    } catch (InsufficientFunds e) {
                        refused.incrementAndGet();
                    }
                }
                return seed;
            });
        }
        int sum = 0;
        for (Future<Integer> f : pool.invokeAll(jobs)) {
            sum += f.get();
        }
        pool.shutdown();
        long total = 0, least = Long.MAX_VALUE;
        boolean consistent = true;
        int entries = 0;
        for (Account a : accounts) {
            total += a.balance;
            least = Math.min(least, a.balance);
            consistent &= 1000 + a.history.stream().mapToLong(x -> x).sum() == a.balance;
            entries += a.history.size();
        }
        System.out.println(sum + " " + total + " " + (least >= 0) + " " + consistent + " "
            + (entries == 2 * done.get()) + " " + (done.get() > 100));
    }
}
