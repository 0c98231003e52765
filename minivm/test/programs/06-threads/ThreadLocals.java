/* SPDX-License-Identifier: MIT */
/* ThreadLocal, inheritable ones, and removal. */
public class ThreadLocals {
    static final ThreadLocal<StringBuilder> LOCAL = ThreadLocal.withInitial(StringBuilder::new);
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>() {
        @Override
        protected String childValue(String parent) {
            return parent + "-child";
        }
    };

    public static void main(String[] args) throws InterruptedException {
        LOCAL.get().append("main");
        INHERITED.set("parent");
        String[] seen = new String[4];
        Thread[] t = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int id = i;
            t[i] = new Thread(() -> {
                for (int k = 0; k < 5; k++) {
                    LOCAL.get().append(id);
                }
                seen[id] = LOCAL.get() + " " + INHERITED.get();
            });
            t[i].start();
        }
        for (Thread x : t) {
            x.join();
        }
        for (String s : seen) {
            System.out.println(s);
        }
        System.out.println(LOCAL.get());
        LOCAL.remove();
        System.out.println(LOCAL.get().length());
        for (int i = 0; i < 10000; i++) {
            ThreadLocal<byte[]> temp = new ThreadLocal<>();
            temp.set(new byte[100]);
            if (i % 100 == 0) {
                temp.remove();
            }
        }
        System.out.println(INHERITED.get());
    }
}
