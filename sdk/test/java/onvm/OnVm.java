// SPDX-License-Identifier: MIT
package onvm;

/** What onvm.c asks the VM for. */
public class OnVm {
    interface One {
    }

    interface Two {
    }

    static class \u00c4pfel implements One, Two {
        int first;
        static String[][] second;
    }

    static native void look(Class<?> c);

    static native void nameless();

    static long inner(int[] numbers, String text, \u00c4pfel a) {
        look(\u00c4pfel.class);         // LINE
        return numbers.length;
    }

    public static void main(String[] args) {
        Thread.currentThread().setName("m\u00e4in \ud83d\ude00");
        inner(new int[3], "x", new \u00c4pfel());
        Thread.currentThread().setName("");
        nameless();
        for (int i = 0; i < 3; i++)
            System.gc();
        System.out.println("done");
    }
}
