/* SPDX-License-Identifier: MIT */
package tck;

/** A nest member, so that the NestMembers attribute changes. */
public class Redef {
    static int counter = 5;
    private int instance = 6;
    static volatile boolean inside;
    static volatile boolean leave;
    static int initialised = init();

    static int init() {
        Redefs.initialisations++;
        return 1;
    }

    public static int version() {
        return 1;
    }

    static int same(int a) {
        return a * 2;
    }

    static int stay() {
        inside = true;
        while (!leave) {
        }
        return 1;
    }

    int get() {
        return instance;
    }

    static class Member {
    }
}
