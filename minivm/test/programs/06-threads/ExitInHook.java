/* SPDX-License-Identifier: MIT */
// exit: 3
/* halt inside a hook replaces the exit code and skips other work. */
public class ExitInHook {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("halting");
            System.out.flush();
            Runtime.getRuntime().halt(3);
        }));
        System.out.println("main returns");
    }
}
