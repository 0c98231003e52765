/* SPDX-License-Identifier: MIT */
// exit: 1
// stderr: yes
/* Printed traces with causes, suppressed ones and common frames. */
public class CauseChain {
    static class Resource implements AutoCloseable {
        @Override
        public void close() {
            throw new IllegalArgumentException("close");
        }
    }

    static void low() {
        try (Resource r = new Resource()) {
            throw new IllegalStateException("body");
        }
    }

    static void middle() throws Exception {
        try {
            low();
        } catch (IllegalStateException e) {
            throw new Exception("middle", e);
        }
    }

    public static void main(String[] args) {
        try {
            middle();
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }
}
