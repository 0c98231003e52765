// SPDX-License-Identifier: @license@
// @copyright@
/** Throws at the places that are marked. */
public class Target {
    static class Own extends RuntimeException {
    }

    static void fails() {
        throw new Own();                                // THROW
    }

    static int divide(int a, int b) {
        return a / b;                                   // DIVIDE
    }

    static void middle() {
        try {
            fails();
        } finally {
            counter++;
        }
    }

    static int counter;

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++)
            try {
                fails();
            } catch (Own expected) {                    // CATCH
                counter++;
            }
        try {
            middle();
        } catch (Own expected) {
            counter++;
        }
        try {
            divide(1, 0);
        } catch (ArithmeticException expected) {
            counter++;
        }
        Thread thread = new Thread(Target::fails);
        thread.setUncaughtExceptionHandler((t, e) -> counter++);
        thread.start();
        thread.join();
        System.out.println("counter " + counter);
    }
}
