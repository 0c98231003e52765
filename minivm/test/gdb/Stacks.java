// SPDX-License-Identifier: MIT
// Stacks that a debugger of C looks at.
public class Stacks {
    static native void here(String text, int[] numbers, String wide, Class<?> klass);

    static native void watch();

    static void inner() {
        here("some text", new int[3], "\u03a9mega", Stacks.class); // inner
    }

    static class Once {
        static {
            inner();
        }

        static void touch() {
        }
    }

    static synchronized void await() throws InterruptedException {
        while (true) {
            Stacks.class.wait(); // wait
        }
    }

    static int watched(int n) {
        return n + 1;
    }

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            try {
                await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "waiter");
        waiter.setDaemon(true);
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(5);
        }
        Once.touch(); // main
        watch();
        int result = watched(1); // watched
        System.out.println(result);
    }
}
