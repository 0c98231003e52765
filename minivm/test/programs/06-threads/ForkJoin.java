/* SPDX-License-Identifier: MIT */
/* ForkJoinPool: recursive tasks and actions, CountedCompleter, exceptions. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

public class ForkJoin {
    static class Fib extends RecursiveTask<Integer> {
        final int n;

        Fib(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fib a = new Fib(n - 1);
            a.fork();
            return new Fib(n - 2).compute() + a.join();
        }
    }

    static class MergeSort extends RecursiveAction {
        final int[] a;
        final int lo, hi;

        MergeSort(int[] a, int lo, int hi) {
            this.a = a;
            this.lo = lo;
            this.hi = hi;
        }

        @Override
        protected void compute() {
            if (hi - lo < 32) {
                Arrays.sort(a, lo, hi);
                return;
            }
            int mid = (lo + hi) >>> 1;
            invokeAll(new MergeSort(a, lo, mid), new MergeSort(a, mid, hi));
            int[] left = Arrays.copyOfRange(a, lo, mid);
            for (int i = 0, j = mid, k = lo; i < left.length; k++) {
                a[k] = j == hi || left[i] <= a[j] ? left[i++] : a[j++];
            }
        }
    }

    static class Sum extends CountedCompleter<Void> {
        final int lo, hi;
        final AtomicLong total;

        Sum(CountedCompleter<?> parent, int lo, int hi, AtomicLong total) {
            super(parent);
            this.lo = lo;
            this.hi = hi;
            this.total = total;
        }

        @Override
        public void compute() {
            int h = hi;
            while (h - lo > 100) {
                int mid = (lo + h) >>> 1;
                addToPendingCount(1);
                new Sum(this, mid, h, total).fork();
                h = mid;
            }
            long s = 0;
            for (int i = lo; i < h; i++) {
                s += i;
            }
            total.addAndGet(s);
            tryComplete();
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(4);
        System.out.println(pool.invoke(new Fib(18)));
        int[] a = new Random(8).ints(5000).toArray(), b = a.clone();
        pool.invoke(new MergeSort(a, 0, a.length));
        Arrays.sort(b);
        System.out.println(Arrays.equals(a, b));
        AtomicLong total = new AtomicLong();
        pool.invoke(new Sum(null, 0, 10000, total));
        System.out.println(total);
        try {
            pool.invoke(new RecursiveTask<Integer>() {
                @Override
                protected Integer compute() {
                    throw new ArithmeticException("forked");
                }
            });
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        ForkJoinTask<String> t = pool.submit(() -> "callable");
        System.out.println(t.get() + " " + t.isCompletedNormally());
        System.out.println(ForkJoinPool.commonPool().invoke(new Fib(12)));
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    }
}
