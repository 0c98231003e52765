/* SPDX-License-Identifier: MIT */
/* try, catch, finally in every arrangement; order of handlers; rethrow. */
@SuppressWarnings("try")
public class Exceptions1 {
    static StringBuilder trail = new StringBuilder();

    static void mark(String s) {
        trail.append(s).append(' ');
    }

    @SuppressWarnings("finally")
    static int finallyWins() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int finallyKeeps() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 5;
            mark("keep");
        }
    }

    @SuppressWarnings("finally")
    static String swallow() {
        for (int i = 0;; i++) {
            try {
                if (i == 2) {
                    return "done" + i;
                }
                throw new RuntimeException("lost");
            } finally {
                if (i < 2) {
                    continue;
                }
            }
        }
    }

    static void nest(int n) throws Exception {
        try {
            try {
                mark("in" + n);
                switch (n) {
                case 0:
                    return;
                case 1:
                    throw new IllegalStateException("ise");
                case 2:
                    throw new Exception("checked");
                case 3:
                    throw new Error("error");
                default:
                    Object o = "x";
                    System.out.println((Integer) o);
                }
            } catch (IllegalStateException e) {
                mark("ise");
                throw new RuntimeException("wrapped", e);
            } finally {
                mark("fin" + n);
            }
        } catch (RuntimeException e) {
            mark(e.getMessage().startsWith("class") ? "cce" : e.getMessage());
            if (e.getCause() != null) {
                mark(e.getCause().getMessage());
            }
        } finally {
            mark("out" + n);
        }
    }

    static class Resource implements AutoCloseable {
        final String name;

        Resource(String name) {
            this.name = name;
            mark("open-" + name);
        }

        @Override
        public void close() throws Exception {
            mark("close-" + name);
            throw new Exception("close " + name);
        }
    }

    public static void main(String[] args) {
        System.out.println(finallyWins());
        System.out.println(finallyKeeps());
        System.out.println(swallow());
        for (int i = 0; i < 5; i++) {
            try {
                nest(i);
            } catch (Throwable t) {
                mark("main:" + t.getMessage());
            }
            System.out.println(trail);
            trail.setLength(0);
        }
        try (Resource a = new Resource("a"); Resource b = new Resource("b")) {
            mark("body");
            throw new IllegalArgumentException("body");
        } catch (Exception e) {
            mark(e.getMessage());
            for (Throwable s : e.getSuppressed()) {
                mark(s.getMessage());
            }
        }
        System.out.println(trail);
        try {
            Throwable none = null;
            throw (RuntimeException) none;
        } catch (NullPointerException e) {
            System.out.println("throw null");
        }
        try {
            Object o = new int[0];
            String s = (String) o;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object n = null;
        System.out.println((String) n);
        System.out.println(n instanceof String);
    }
}
