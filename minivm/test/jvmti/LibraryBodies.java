// SPDX-License-Identifier: MIT
// sdk: buffer classfile code_edit code_read code_write constants opcodes
// vm: -Xint
// stress: -Dearly=1
import java.lang.reflect.Field;

/** A VM may run code of its own in place of a method of the class library, but not hide
    the calls that the method makes from an agent that has changed the callee.  The
    property "early" lets the agent change the class when it is loaded, which the JDK's
    VM does not survive: it cannot load Calls before java.base is defined. */
public class LibraryBodies {
    static native void retransform(Class<?> c);

    static Field field(String name) throws Exception {
        Field f = Class.forName("Calls", true, null).getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }

    /** Calls of StringLatin1.equals(byte[], byte[]) while 100 pairs of strings of one
        length, one byte a character, are compared. */
    static int comparisons() throws Exception {
        Field calls = field("calls"), counted = field("counted");
        String[] a = new String[100], b = new String[100];
        int equal = 0;

        for (int i = 0; i < a.length; i++) {
            a[i] = "number " + (100 + i);
            b[i] = "number " + (100 + i / 2);
        }
        calls.setInt(null, 0);
        counted.set(null, Thread.currentThread());
        for (int i = 0; i < a.length; i++)
            if (a[i].equals(b[i]))
                equal++;
        counted.set(null, null);
        System.out.println((equal == 1 ? "ok " : "not ok ") + "equal: " + equal);
        return calls.getInt(null);
    }

    static void is(String name, int actual, int expected) {
        System.out.println((actual == expected ? "ok " : "not ok ") + name + ": " + actual);
    }

    public static void main(String[] args) throws Exception {
        boolean early = System.getProperty("early") != null;

        is("at-first", comparisons(), early ? 100 : 0);
        retransform(Class.forName("java.lang.StringLatin1"));
        is("retransformed", comparisons(), 100);
    }
}
