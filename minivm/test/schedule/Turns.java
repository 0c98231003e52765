// SPDX-License-Identifier: MIT

/** Prints what three threads did to one another in a race. */
public class Turns {
    static int at;
    static char[] order = new char[3000];
    static int work;

    static void race(char name) {
        for (int i = 0; i < 1000; i++) {
            int place = at;
            for (int k = 0; k < 37; k++) {
                work += k & 1;
            }
            order[place] = name;
            at = place + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            char name = (char) ('a' + i);
            threads[i] = new Thread(() -> race(name));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        StringBuilder runs = new StringBuilder();
        for (int i = 1, from = 0; i <= at; i++) {
            if (i == at || order[i] != order[from]) {
                runs.append(order[from]).append(i - from).append(' ');
                from = i;
            }
        }
        System.out.println(runs);
    }
}
