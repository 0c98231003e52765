/* SPDX-License-Identifier: MIT */
// exit: 1
// stderr: yes
/* No main method: the launcher's message. */
public class MissingMain {
    static void main(int x) {
    }
}
