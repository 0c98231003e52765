/* SPDX-License-Identifier: MIT */
/* Compiled without debug information: traces and null messages go without. */
public class NoDebugInfo {
    int[] a;

    static void fail(String text, NoDebugInfo other) {
        Object local = other.a;
        try {
            System.out.println(text.length());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(((int[]) local).length);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(other.a[1]);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        fail(null, new NoDebugInfo());
        StackTraceElement e = new Throwable().getStackTrace()[0];
        System.out.println(e + " " + e.getLineNumber() + " " + e.getFileName());
    }
}
