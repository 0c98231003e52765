// SPDX-License-Identifier: MIT
// since: 21
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.Collectors;

/** java.lang.reflect.AccessFlag, and what reflection tells of records, enums and sealed types. */
public class AccessFlags {
    sealed interface Animal permits Cat, Dog { }
    static final class Cat implements Animal { }
    static non-sealed class Dog implements Animal {
        protected transient volatile int age;
        private static final String KIND = "dog";

        @SafeVarargs
        static synchronized <T> void bark(T... loud) {
        }

        native void howl();
    }
    record Pair<T extends Comparable<T>>(T left, @Deprecated int... right) { }
    enum Mode { ON { }, OFF }
    @interface Marked { int value() default 3; }

    static String flags(Set<AccessFlag> set) {
        return set.stream().map(AccessFlag::name).sorted().collect(Collectors.joining("+"));
    }

    static void show(Class<?> c) {
        System.out.println(c.getSimpleName() + " " + flags(c.accessFlags()) + " sealed " + c.isSealed()
            + " record " + c.isRecord() + " enum " + c.isEnum() + " hidden " + c.isHidden());
        List<String> members = new ArrayList<>();
        for (Field f : c.getDeclaredFields())
            members.add(f.getName() + ":" + flags(f.accessFlags()));
        for (Method m : c.getDeclaredMethods())
            members.add(m.getName() + "():" + flags(m.accessFlags()));
        for (Constructor<?> k : c.getDeclaredConstructors())
            members.add("<init>" + k.getParameterCount() + ":" + flags(k.accessFlags()));
        Collections.sort(members);
        members.forEach(m -> System.out.println("  " + m));
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(Animal.class, Cat.class, Dog.class, Pair.class, Mode.class, Marked.class, int[].class))
            show(c);
        System.out.println(Arrays.stream(Animal.class.getPermittedSubclasses()).map(Class::getSimpleName).toList());
        for (RecordComponent r : Pair.class.getRecordComponents())
            System.out.println(r.getName() + " " + r.getGenericType() + " " + r.getType().getSimpleName() + " "
                + r.getAnnotations().length);
        Constructor<?> k = Pair.class.getDeclaredConstructors()[0];
        for (Parameter p : k.getParameters())
            System.out.println(p + " " + p.isVarArgs() + " " + flags(p.accessFlags()));
        System.out.println(flags(AccessFlag.maskToAccessFlags(0x1041, AccessFlag.Location.METHOD)) + " "
            + AccessFlag.VOLATILE.mask() + " " + AccessFlag.VOLATILE.locations() + " " + AccessFlag.MODULE.sourceModifier());
    }
}
