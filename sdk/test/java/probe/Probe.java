// SPDX-License-Identifier: MIT
package probe;

/** What rewritten code calls. */
public class Probe {
    public static int enter, leave, thrown, line, never;

    public static void enter() { enter++; }
    public static void leave() { leave++; }
    public static void thrown() { thrown++; }
    public static void line() { line++; }
    public static void never() { never++; }
}
