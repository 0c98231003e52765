/* SPDX-License-Identifier: MIT */
/* Dynamic proxies: dispatch, Object methods, exceptions, default methods. */
import java.lang.reflect.*;
import java.util.*;

public class Proxies {
    interface Greeter {
        String greet(String name, int times);

        default String twice(String n) {
            return greet(n, 2) + "!";
        }

        int wide(long a, double b, byte c, boolean d);

        void nothing() throws java.io.IOException;
    }

    interface Other {
        String greet(String name, int times);
    }

    static Object call(InvocationHandler h, Class<?>... types) {
        return Proxy.newProxyInstance(Proxies.class.getClassLoader(), types, h);
    }

    public static void main(String[] args) throws Exception {
        List<String> log = new ArrayList<>();
        Greeter g = (Greeter) call((proxy, m, a) -> {
            log.add(m.getName() + Arrays.toString(a));
            switch (m.getName()) {
            case "greet":
                return ((String) a[0]).repeat((int) a[1]);
            case "twice":
                return InvocationHandler.invokeDefault(proxy, m, a);
            case "wide":
                return (int) ((long) a[0] + (double) a[1]) + (byte) a[2];
            case "hashCode":
                return 17;
            case "equals":
                return proxy == a[0];
            case "toString":
                return "proxy";
            default:
                return null;
            }
        }, Greeter.class, Other.class, Comparable.class);
        System.out.println(g.greet("ab", 3) + " " + g.twice("x") + " " + g.wide(10, 2.5, (byte) 3, true));
        g.nothing();
        System.out.println(g + " " + g.hashCode() + " " + g.equals(g) + " " + g.equals("x"));
        System.out.println(((Other) g).greet("o", 1) + " " + ((Comparable<?>) g).getClass()
            .getSimpleName().startsWith("$Proxy"));
        log.forEach(System.out::println);
        Greeter bad = (Greeter) call((p, m, a) -> m.getName().equals("greet") ? (Object) 5 : null,
            Greeter.class);
        try {
            bad.greet("x", 1);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("class ", ""));
        }
        try {
            bad.wide(1, 2, (byte) 3, false);
        } catch (NullPointerException e) {
            System.out.println("null for int");
        }
        Greeter throwing = (Greeter) call((p, m, a) -> {
            throw m.getName().equals("nothing") ? new java.io.IOException("declared")
                : new Exception("undeclared");
        }, Greeter.class);
        try {
            throwing.nothing();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            throwing.greet("x", 1);
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause().getMessage());
        }
        System.out.println(Proxy.isProxyClass(g.getClass()) + " "
            + (Proxy.getInvocationHandler(bad) != null) + " "
            + (bad.getClass() == throwing.getClass()) + " " + Modifier.isFinal(g.getClass().getModifiers()));
        try {
            call((p, m, a) -> null, String.class);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Integer> target = new TreeMap<>(Map.of("a", 1));
        @SuppressWarnings("unchecked")
        Map<String, Integer> traced = (Map<String, Integer>) call((p, m, a) -> {
            System.out.println("-> " + m.getName());
            return m.invoke(target, a);
        }, Map.class);
        traced.put("b", 2);
        traced.merge("a", 10, Integer::sum);
        System.out.println(traced.size() + " " + target);
    }
}
