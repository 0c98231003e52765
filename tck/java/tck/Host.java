/* SPDX-License-Identifier: MIT */
package tck;

/** The main class of every run: gives the agent a thread and a phase. */
public final class Host {
    private Host() {
    }

    /** Runs the live cases of the agent's group; bound by name in the agent library. */
    private static native void run();

    public static void main(String[] args) {
        run();
    }

    static byte[] bytes(String name) throws java.io.IOException {
        try (java.io.InputStream in =
                Host.class.getClassLoader().getResourceAsStream(name + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }
}
