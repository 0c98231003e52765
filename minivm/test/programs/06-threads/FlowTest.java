/* SPDX-License-Identifier: MIT */
/* SubmissionPublisher and Flow: back pressure over several subscribers. */
import java.util.*;
import java.util.concurrent.*;

public class FlowTest {
    static class Summing implements Flow.Subscriber<Integer> {
        final CompletableFuture<Long> result = new CompletableFuture<>();
        final int batch;
        Flow.Subscription s;
        long sum;
        int left;

        Summing(int batch) {
            this.batch = batch;
        }

        @Override
        public void onSubscribe(Flow.Subscription s) {
            this.s = s;
            left = batch;
            s.request(batch);
        }

        @Override
        public void onNext(Integer x) {
            sum += x;
            if (--left == 0) {
                left = batch;
                s.request(batch);
            }
        }

        @Override
        public void onError(Throwable t) {
            result.completeExceptionally(t);
        }

        @Override
        public void onComplete() {
            result.complete(sum);
        }
    }

    public static void main(String[] args) throws Exception {
        Summing a = new Summing(1), b = new Summing(17), c = new Summing(5);
        try (SubmissionPublisher<Integer> p = new SubmissionPublisher<>()) {
            p.subscribe(a);
            p.subscribe(b);
            for (int i = 0; i < 2000; i++) {
                p.submit(i);
            }
            System.out.println(p.getNumberOfSubscribers());
        }
        System.out.println(a.result.get() + " " + b.result.get());
        SubmissionPublisher<Integer> failing = new SubmissionPublisher<>();
        failing.subscribe(c);
        failing.submit(5);
        failing.closeExceptionally(new IllegalStateException("closed"));
        try {
            c.result.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}
