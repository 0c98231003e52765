/* SPDX-License-Identifier: MIT */
/* Serialization: graphs, transient, custom methods, resolve, versions. */
import java.io.*;
import java.util.*;

public class Serial1 {
    static class Animal implements Serializable {
        private static final long serialVersionUID = 1;
        String name;
        transient int cache = 42;
        Animal friend;
        int[] data = { 1, 2, 3 };

        Animal(String name) {
            this.name = name;
        }
    }

    static class Plain {
        String base = "default constructor ran";
    }

    static class Child extends Plain implements Serializable {
        private static final long serialVersionUID = 2;
        long big = 1L << 50;
        double d = 2.5;
        boolean z = true;
        char c = 'x';
        byte b = -1;
        short s = -2;
        float f = 0.5f;
        Object n = null;
    }

    static class Custom implements Serializable {
        private static final long serialVersionUID = 3;
        transient List<String> log = new ArrayList<>();
        int kept;

        Custom(int kept) {
            this.kept = kept;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(kept * 2);
            out.writeUTF("extra\u00e9");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            log = new ArrayList<>(List.of("int " + in.readInt(), in.readUTF()));
        }
    }

    static class Single implements Serializable {
        private static final long serialVersionUID = 4;
        static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    static class Proxy implements Serializable {
        private static final long serialVersionUID = 5;

        private Object writeReplace() {
            return "replaced";
        }
    }

    static class Ext implements Externalizable {
        int v;

        public Ext() {
            System.out.println("Ext()");
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(v);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            v = in.readInt() + 1;
        }
    }

    enum Color { RED, GREEN }

    record Point(int x, String label) implements Serializable {
        Point {
            System.out.println("Point " + x);
        }
    }

    static byte[] write(Object... all) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            for (Object o : all) {
                out.writeObject(o);
            }
        }
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Animal a = new Animal("a"), b = new Animal("b");
        a.friend = b;
        b.friend = a;
        Ext ext = new Ext();
        ext.v = 10;
        byte[] bytes = write(a, b, new Child(), new Custom(21), Single.ONE, new Proxy(), ext,
            Color.GREEN, new Point(5, "p"), new HashMap<>(Map.of("k", List.of(1, 2))),
            new int[][] { { 1 }, { 2, 3 } }, String.class, new ArrayDeque<>(List.of(1, 2)),
            new Date(0), new TreeSet<>(List.of("z", "y")), EnumSet.of(Color.RED), new BitSet(),
            (Comparator<String> & Serializable) (x, y) -> y.compareTo(x));
        System.out.println(bytes.length > 1000);
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes));
        Animal a2 = (Animal) in.readObject(), b2 = (Animal) in.readObject();
        System.out.println(a2.name + a2.cache + (a2.friend == b2) + (b2.friend == a2)
            + Arrays.toString(a2.data));
        Child c = (Child) in.readObject();
        System.out.println(c.base + c.big + c.d + c.z + c.c + c.b + c.s + c.f + c.n);
        Custom custom = (Custom) in.readObject();
        System.out.println(custom.kept + " " + custom.log);
        System.out.println(in.readObject() == Single.ONE);
        System.out.println(in.readObject());
        System.out.println(((Ext) in.readObject()).v);
        System.out.println(in.readObject() == Color.GREEN);
        System.out.println(in.readObject());
        System.out.println(in.readObject());
        System.out.println(Arrays.deepToString((int[][]) in.readObject()));
        for (int i = 0; i < 6; i++) {
            System.out.println(in.readObject());
        }
        @SuppressWarnings("unchecked")
        Comparator<String> cmp = (Comparator<String>) in.readObject();
        System.out.println(cmp.compare("a", "b"));
        try {
            in.readObject();
        } catch (EOFException e) {
            System.out.println("end");
        }
        try {
            write(new Object());
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
        ObjectInputStream filtered = new ObjectInputStream(new ByteArrayInputStream(
            write(new ArrayList<>(List.of(1)))));
        filtered.setObjectInputFilter(ObjectInputFilter.Config.createFilter("!java.util.ArrayList"));
        try {
            filtered.readObject();
        } catch (InvalidClassException e) {
            System.out.println(e.getMessage());
        }
        bytes[0] = 0;
        try {
            new ObjectInputStream(new ByteArrayInputStream(bytes));
        } catch (StreamCorruptedException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(ObjectStreamClass.lookup(Animal.class).getSerialVersionUID() + " "
            + ObjectStreamClass.lookup(Color.class).getSerialVersionUID() + " "
            + ObjectStreamClass.lookup(ArrayList.class));
        System.out.println(Arrays.hashCode(write("text", 5, 6L, new int[] { 1 })));
    }
}
