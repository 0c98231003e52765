// SPDX-License-Identifier: MIT
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A heap that Reader knows: every kind of field, array and root. */
public class Known {
    interface Constants {
        int ONE = 1;
        String TEXT = new String("of Constants");
        Object OBJECT = new Marker("of an interface");
    }

    interface More extends Constants {
        double HALF = Double.parseDouble("0.5");
        Object ONE = new Marker("hides a constant");
    }

    /** With fields of all types, some of names that subclasses use again. */
    static class Base implements Constants {
        static long counter = 0x1122334455667788L;
        int shadowed = 1;
        Object reference = "of Base";
        long wide = Long.MIN_VALUE + 5;
    }

    static class Derived extends Base implements More {
        static Derived only;
        static boolean flag = true;
        static byte tiny = -7;
        static char letter = '\u20ac';
        static float ratio = -1.25f;
        static final int CONSTANT = 99;
        boolean z = true;
        byte b = -3;
        char c = '\u00fc';
        short s = -1234;
        int shadowed = 2;
        float f = 1.5f;
        double d = Math.PI;
        Object self = this;
        Object nothing = null;
    }

    static final class Leaf extends Derived implements Runnable, Constants {
        static String name = "the Leaf";
        int[] ints = { 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE };
        boolean shadowed = true;
        String text = "gr\u00fc\u00dfe \u20ac";

        public void run() {
        }
    }

    static final class Marker {
        final String text;

        Marker(String text) {
            this.text = text;
        }
    }

    static final class Node {
        final int number;
        final Node next;

        Node(int number, Node next) {
            this.number = number;
            this.next = next;
        }
    }

    /** Holds a tenth of a megabyte that nobody else refers to. */
    static final class Owner {
        byte[] block = new byte[100000];
        Object[] shared = { Known.head };
    }

    static class Empty {
    }

    static Leaf leaf;
    static Node head;
    static Owner owner;
    static Empty empty = new Empty();
    static WeakReference<Marker> weak;
    static Marker weakly = new Marker("weakly, too");
    static Map<String, Integer> map = new HashMap<>();
    static List<Object> list = new ArrayList<>();
    static Class<?> type = int.class, array = String[][].class;

    static boolean[] booleans = { true, false, true };
    static byte[] bytes = { -128, 0, 127 };
    static char[] chars = { 'a', '\u20ac', '\uffff' };
    static short[] shorts = { -32768, 1, 32767 };
    static int[] noInts = {};
    static long[] longs = { Long.MIN_VALUE, 1, Long.MAX_VALUE };
    static float[] floats = { Float.NaN, -0.0f, 3.5f };
    static double[] doubles = { Double.NEGATIVE_INFINITY, 1e300, Double.MIN_VALUE };
    static Object[] objects;
    static int[][] grid = { { 1, 2, 3 }, null, { 4 } };
    static String[] noStrings = {};
    static int[] manyInts = new int[400000];
    static Object[] manyObjects = new Object[200000];

    static final Object lock = new Object();
    static boolean held;

    static void hold(Marker local, Object wanted) throws InterruptedException {
        synchronized (lock) {
            held = true;
            lock.notifyAll();
            while (wanted != null)
                lock.wait();
        }
        System.out.println(local.text);
    }

    static final Object contended = new Object();
    static volatile boolean resting;

    /** Calls rest(), with a local reference to a marker. */
    static native void descend();

    static void rest() {
        synchronized (contended) {
            resting = true;
            LockSupport.park();
        }
    }

    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A thread below native code that holds a monitor, and one that wants it. */
    static void block() {
        daemon("native", Known::descend);
        while (!resting)
            Thread.onSpinWait();
        Thread blocked = daemon("blocked", Known::rest);
        while (blocked.getState() != Thread.State.BLOCKED)
            Thread.onSpinWait();
    }

    static void build() {
        leaf = new Leaf();
        Derived.only = leaf;
        for (int i = 0; i < 1000; i++)
            head = new Node(i, head);
        owner = new Owner();
        weak = new WeakReference<>(weakly);
        objects = new Object[] { null, leaf, null, "text", null };
        for (int i = 0; i < manyInts.length; i++)
            manyInts[i] = i * 3;
        manyObjects[5] = leaf;
        manyObjects[199998] = head;
        for (int i = 0; i < 100; i++)
            map.put("key" + i, i * 1000);
        list.add(leaf);
        // Seen through Leaf alone are these not initialized.
        list.add(Constants.OBJECT);
        list.add(More.ONE);
    }

    public static void main(String[] args) throws Exception {
        build();
        daemon("holder", () -> {
            try {
                hold(new Marker("local"), lock);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        synchronized (lock) {
            while (!held)
                lock.wait();
        }
        System.load(System.getProperty("roots"));
        block();
        for (String arg : args)
            act(arg);
    }

    static void act(String what) throws Exception {
        switch (what) {
        case "wait":
            System.out.println("ready " + ProcessHandle.current().pid());
            System.out.flush();
            while (System.in.read() >= 0)
                ;
            break;
        case "fill":
            List<Object> all = new ArrayList<>();
            try {
                for (;;)
                    all.add(new long[10000]);
            } catch (OutOfMemoryError e) {
                int count = all.size();
                all = null;
                System.out.println("full: " + (count > 10));
            }
            break;
        default:
            makeMany(Integer.parseInt(what));
        }
    }

    static Object many;

    /** So many small objects, in chunks. */
    static void makeMany(int count) {
        Object[] chunks = new Object[count / 1000];
        for (int i = 0; i < chunks.length; i++) {
            Node[] chunk = new Node[1000];
            for (int j = 0; j < chunk.length; j++)
                chunk[j] = new Node(j, j == 0 ? null : chunk[j - 1]);
            chunks[i] = chunk;
        }
        many = chunks;
    }
}
