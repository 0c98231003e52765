// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandles;
import java.util.Arrays;

/* Each class has a version in Redefine.versions/bad with one change that is refused, or
   that looks like one. */

class FieldAdded { int a; int v() { return 1; } }
class FieldRemoved { int a, b; int v() { return 1; } }
class FieldRenamed { int a; int v() { return 1; } }
class FieldRetyped { int a; int v() { return 1; } }
class FieldModifiers { private int a; int v() { return 1; } }
class FieldOrder { int a, b; int v() { return 1; } }
class StaticAdded { int v() { return 1; } }
class MethodAdded { int v() { return 1; } }
class MethodRemoved { int v() { return 1; } private void gone() { } }
class MethodRetyped { int v() { return 1; } int w() { return 1; } }
class MethodPublic { int v() { return 1; } }
class MethodStatic { int v() { return 1; } static int w() { return 1; } }
class MethodSynchronized { int v() { return 1; } }
class MethodNative { int v() { return 1; } native int w(); }
class MethodFinal { int v() { return 1; } }
class InitializerAdded { static int a; int v() { return 1; } }
class SuperChanged { int v() { return 1; } }
class InterfaceAdded { int v() { return 1; } }
class InterfaceRemoved implements Runnable {
    int v() { return 1; }
    public void run() { }
}
class InterfaceOrder implements Runnable, Cloneable {
    int v() { return 1; }
    public void run() { }
}
class ClassFinal { int v() { return 1; } }
class ClassAbstract { int v() { return 1; } }
class NestMembersChanged { int v() { return 1; } class A { } }
class NestMembersNone { int v() { return 1; } }
class Nest { static class HostLost { int v() { return 1; } } }
record ComponentChanged(int a, String b) { int v() { return 1; } }
record ComponentGeneric(java.util.List<String> a) { int v() { return 1; } }
record ComponentMarked(@Mark("one") int a) { int v() { return 1; } }
sealed class PermitsAdded permits PermitsAddedA { int v() { return 1; } }
final class PermitsAddedA extends PermitsAdded { }
class BecomesSealed { int v() { return 1; } }
class BecomesSealedA extends BecomesSealed { }
class Own { int v() { return 1; } }
class BelowOwn extends Own { }

public class RedefineErrors extends Redefiner {
    static final int UNMODIFIABLE = 79, FORMAT = 60, CIRCULAR = 61, VERIFICATION = 62,
        ADDED = 63, SCHEMA = 64, HIERARCHY = 66, DELETED = 67, VERSION = 68, NAMES = 69,
        CLASS_MODIFIERS = 70, METHOD_MODIFIERS = 71, ATTRIBUTE = 72;

    static void refuse(String name, int error, Class<?> c) throws Exception {
        refuse(name, error, c, bytes("bad", c));
    }

    /** The error, and nothing changed. */
    static void refuse(String name, int error, Class<?> c, byte[] file)
            throws Exception {
        c.getDeclaredMethods(); /* links it */
        String before = classInfo(c) + methods(c);
        same("refused-" + name, error,
             redefine(new Class<?>[] { c }, new byte[][] { file }));
        same("unchanged-" + name, before, classInfo(c) + methods(c));
    }

    static void schema() throws Exception {
        refuse("field-added", SCHEMA, FieldAdded.class);
        refuse("field-removed", SCHEMA, FieldRemoved.class);
        refuse("field-renamed", SCHEMA, FieldRenamed.class);
        refuse("field-retyped", SCHEMA, FieldRetyped.class);
        refuse("field-modifiers", SCHEMA, FieldModifiers.class);
        refuse("field-order", SCHEMA, FieldOrder.class);
        refuse("static-added", SCHEMA, StaticAdded.class);
    }

    static void methods() throws Exception {
        refuse("method-added", ADDED, MethodAdded.class);
        refuse("method-removed", DELETED, MethodRemoved.class);
        refuse("initializer-added", ADDED, InitializerAdded.class);
        refuse("method-public", METHOD_MODIFIERS, MethodPublic.class);
        refuse("method-static", METHOD_MODIFIERS, MethodStatic.class);
        refuse("method-synchronized", METHOD_MODIFIERS, MethodSynchronized.class);
        refuse("method-final", METHOD_MODIFIERS, MethodFinal.class);
        int retyped = to("bad", MethodRetyped.class);
        check("refused-method-retyped", retyped == ADDED || retyped == DELETED);
        /* The text knows no exception for native. */
        same("refused-native-modifier", METHOD_MODIFIERS,
             to("bad", MethodNative.class));
    }

    static void classes() throws Exception {
        refuse("super", HIERARCHY, SuperChanged.class);
        refuse("interface-added", HIERARCHY, InterfaceAdded.class);
        refuse("interface-removed", HIERARCHY, InterfaceRemoved.class);
        /* "the set of directly implemented interfaces" is the same. */
        int order = to("bad", InterfaceOrder.class);
        Class<?> first = InterfaceOrder.class.getInterfaces()[0];
        check("interfaces-in-other-order", order == 0 && first == Cloneable.class);
        refuse("class-final", CLASS_MODIFIERS, ClassFinal.class);
        refuse("class-abstract", CLASS_MODIFIERS, ClassAbstract.class);
        refuse("nest-members", ATTRIBUTE, NestMembersChanged.class);
        refuse("nest-members-none", ATTRIBUTE, NestMembersNone.class);
        refuse("nest-host", ATTRIBUTE, Nest.HostLost.class);
        refuse("component", ATTRIBUTE, ComponentChanged.class);
        refuse("component-generic", ATTRIBUTE, ComponentGeneric.class);
        refuse("permits", ATTRIBUTE, PermitsAdded.class);
        refuse("becomes-sealed", ATTRIBUTE, BecomesSealed.class);
        same("component-annotation", 0, to("bad", ComponentMarked.class));
    }

    /** The index of the last time that these bytes are in file, from the end. */
    static int find(byte[] file, int... bytes) {
        for (int i = file.length - bytes.length; i >= 0; i--) {
            int same = 0;
            while (same < bytes.length && (file[i + same] & 255) == bytes[same])
                same++;
            if (same == bytes.length)
                return i;
        }
        throw new AssertionError();
    }

    static void files() throws Exception {
        byte[] file = bytes("", Own.class), changed;
        refuse("empty", FORMAT, Own.class, new byte[0]);
        refuse("short", FORMAT, Own.class, Arrays.copyOf(file, file.length - 5));
        changed = file.clone();
        changed[0] = 1;
        refuse("magic", FORMAT, Own.class, changed);
        changed = file.clone();
        changed[6] = 1;
        refuse("version", VERSION, Own.class, changed);
        refuse("name", NAMES, Own.class, bytes("", ClassFinal.class));
        changed = file.clone();
        changed[find(file, 0x04, 0xac)] = 0x57; /* iconst_1, ireturn: pop */
        refuse("verification", VERIFICATION, Own.class, changed);
        changed[7] = 49;
        refuse("inference", VERIFICATION, Own.class, changed);
    }

    /** The specification knows no exception for the boot loader's classes. */
    static void verified() throws Exception {
        Class<?>[] subset = { Character.Subset.class };
        byte[] file;
        try (var in = Object.class.getResourceAsStream("Character$Subset.class")) {
            file = in.readAllBytes();
        }
        byte[] changed = file.clone();
        for (int i = 0; i + 4 < file.length; i++) /* aload_0, getfield, areturn */
            if (file[i] == 0x2a && file[i + 1] == (byte)0xb4 && file[i + 4] == (byte)0xb0)
                changed[i] = 0x03; /* iconst_0 */
        check("not-as-it-was", !Arrays.equals(file, changed));
        same("refused-verification-boot", VERIFICATION,
             redefine(subset, new byte[][] { changed }));
        same("restored-boot", 0, redefine(subset, new byte[][] { file }));
    }

    static void unmodifiable() throws Exception {
        byte[] file = bytes("", Own.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> hidden = lookup.defineHiddenClass(file, false).lookupClass();
        Class<?>[] list = { int.class, int[].class, Own[].class, hidden };
        for (Class<?> c : list) {
            String name = c == hidden ? "hidden" : c.getSimpleName();
            same("redefine-" + name, UNMODIFIABLE,
                 redefine(new Class<?>[] { c }, new byte[][] { file }));
            same("retransform-" + name, UNMODIFIABLE, retransform(c));
            check("modifiable-" + name, !isModifiable(c));
        }
        check("modifiable", isModifiable(Own.class) && isModifiable(Object.class)
              && isModifiable(Runnable.class) && isModifiable(Thread.class));
    }

    static void run() throws Exception {
        schema();
        methods();
        classes();
        files();
        verified();
        unmodifiable();
    }
}
