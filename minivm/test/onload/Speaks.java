// SPDX-License-Identifier: MIT

/** Says that it runs, and ends as its argument tells. */
public class Speaks {
    public static void main(String[] args) {
        System.out.println("main");
        if (args.length > 0 && args[0].equals("halt"))
            Runtime.getRuntime().halt(3);
        if (args.length > 0 && args[0].equals("exit"))
            System.exit(4);
    }
}
