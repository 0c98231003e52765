// SPDX-License-Identifier: MIT
// since: 21
import java.lang.invoke.*;
import java.lang.runtime.*;
import java.util.*;

/** The bootstrap methods of pattern switches and records, called without a compiler. */
public class TypeSwitches {
    enum Colour { RED, GREEN, BLUE }
    record Both(String name, int[] data, double weight) { }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static MethodHandle typeSwitch(Object... labels) throws Throwable {
        return SwitchBootstraps.typeSwitch(LOOKUP, "any",
            MethodType.methodType(int.class, Object.class, int.class), labels).dynamicInvoker();
    }

    /** labels is how many the switch has. */
    static void ask(int labels, MethodHandle h, Object... targets)
            throws Throwable {
        StringBuilder b = new StringBuilder();
        for (Object t : targets) {
            b.append(t instanceof Object[] a ? Arrays.toString(a) : t).append("=");
            // All answers, each time from behind the one before.
            for (int at = 0, n = 0; n <= labels; n++) {
                int found = (int) h.invokeExact(t, at);
                b.append(found).append(found < 0 ? "" : ",");
                if (found < 0 || found >= labels)
                    break;
                at = found + 1;
            }
            b.append(' ');
        }
        System.out.println(b);
    }

    public static void main(String[] args) throws Throwable {
        ask(4, typeSwitch(String.class, Integer.class, Number.class, Object.class), "x", 4, 4.5, 'c', null);
        ask(4, typeSwitch("a", String.class, 42, Integer.class), "a", "b", 42, 43, null);
        ask(4, typeSwitch(Object[].class, int[].class, List.class, Runnable.class),
            new String[] { "s" }, List.of(1), (Object) null);
        ask(0, typeSwitch(), "nothing");
        CallSite colours = SwitchBootstraps.enumSwitch(LOOKUP, "any",
            MethodType.methodType(int.class, Colour.class, int.class), "GREEN", "MISSING", "RED", Colour.class);
        for (Colour c : Colour.values())
            System.out.print(c + "=" + (int) colours.dynamicInvoker().invokeExact(c, 0) + ","
                + (int) colours.dynamicInvoker().invokeExact(c, 1) + " ");
        System.out.println();
        for (Object bad : new Object[] { 4.5, 'c' })
            try {
                typeSwitch(bad);
                System.out.println("accepted " + bad);
            } catch (IllegalArgumentException e) {
                System.out.println("refused " + bad.getClass().getSimpleName());
            }
        try {
            int ignored = (int) typeSwitch(String.class).invokeExact((Object) "x", 2);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("beyond the labels");
        }
        MethodHandle toString = ((CallSite) ObjectMethods.bootstrap(LOOKUP, "toString",
            MethodType.methodType(String.class, Both.class), Both.class, "name;weight",
            LOOKUP.findGetter(Both.class, "name", String.class),
            LOOKUP.findGetter(Both.class, "weight", double.class))).getTarget();
        MethodHandle equals = ((CallSite) ObjectMethods.bootstrap(LOOKUP, "equals",
            MethodType.methodType(boolean.class, Both.class, Object.class), Both.class, "name",
            LOOKUP.findGetter(Both.class, "name", String.class))).getTarget();
        Both one = new Both("n", new int[] { 1 }, -0.0), two = new Both("n", new int[] { 1 }, 0.0);
        System.out.println((String) toString.invokeExact(one) + " " + (boolean) equals.invokeExact(one, (Object) two)
            + " " + one.equals(two) + " " + (one.hashCode() == new Both("n", one.data(), -0.0).hashCode()));
        MethodHandle concat = java.lang.invoke.StringConcatFactory.makeConcatWithConstants(LOOKUP, "c",
            MethodType.methodType(String.class, int.class, String.class, boolean.class), "<\1|\2|\1\1>", "const")
            .dynamicInvoker();
        System.out.println((String) concat.invokeExact(5, "mid", true));
    }
}
