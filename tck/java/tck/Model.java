/* SPDX-License-Identifier: MIT */
package tck;

/** A class whose members are known by heart: see tck/agent. */
public class Model implements Comparable<Model> {
    static int staticInt = 7;
    private static final long STATIC_LONG = 5_000_000_000L;
    int instanceInt;
    long instanceLong = 42;
    protected volatile String text = "text";
    public java.util.List<String> list;

    public Model() {
        instanceInt = 3;
    }

    /** The arguments take four slots with the receiver. */
    int sum(int a, long b) {
        int total = a + (int) b;
        return total;
    }

    static synchronized <T extends Model> T generic(T t) {
        return t;
    }

    native int bound();

    static void touch(Model m) {
        m.instanceInt = m.instanceInt + 1;
    }

    @Override
    public int compareTo(Model other) {
        return instanceInt - other.instanceInt;
    }
}
