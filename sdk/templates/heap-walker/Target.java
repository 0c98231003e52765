// SPDX-License-Identifier: @license@
// @copyright@
/** Keeps 1000 nodes and five arrays of them, and has thrown 100 away before. */
public class Target {
    static class Node {
        long a, b;
    }

    static class Gone {
    }

    static Node[][] kept = new Node[5][];

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Node[200];
            for (int j = 0; j < 200; j++)
                kept[i][j] = new Node();
        }
        System.gc();
        if (args.length > 0) {          // ask ourselves for a dump
            long pid = ProcessHandle.current().pid();
            new ProcessBuilder("kill", "-QUIT", Long.toString(pid)).start().waitFor();
            java.io.File result = new java.io.File(args[0]);
            for (int i = 0; i < 400 && !result.exists(); i++)
                Thread.sleep(25);
        }
        System.out.println("kept " + kept.length);
    }
}
