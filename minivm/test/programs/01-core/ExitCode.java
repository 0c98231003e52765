/* SPDX-License-Identifier: MIT */
// exit: 42
/* Nothing but an exit code. */
public class ExitCode {
    public static void main(String[] args) {
        System.exit(42);
    }
}
