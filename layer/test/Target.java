// SPDX-License-Identifier: MIT

/** A program for agents: it has a thread, collects garbage, and ends. */
public class Target {
    int number = 1;

    static class Part {
        static int one() {
            return 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> System.out.println("in a thread"), "second");
        thread.start();
        thread.join();
        try {
            System.out.println("part " + Part.one());
        } catch (LinkageError e) {
            System.out.println("no part");
        }
        System.gc();
        System.out.println("done");
        if (args.length > 0 && args[0].equals("return")) {
            return;
        }
        System.exit(args.length > 0 ? Integer.parseInt(args[0]) : 0);
    }
}
