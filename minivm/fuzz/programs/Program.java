// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes the source of a program, the class P, from a seed. */
class Program {
    private final Random random;
    private final StringBuilder out = new StringBuilder();

    private Program(long seed) {
        random = new Random(seed * 0x9e3779b97f4a7c15L);
        for (int i = 0; i < 4; i++)
            random.nextInt();
    }

    static String source(long seed) {
        Program program = new Program(seed);

        program.write();
        return program.out.toString();
    }

    /** How javac compiles it: names of variables and calls of makeConcat may be missing. */
    static List<String> options(long seed) {
        List<String> options = new ArrayList<>(List.of("-nowarn", "-Xlint:none", "-proc:none"));

        options.add(seed % 3 == 0 ? "-g:none" : "-g");
        if (seed % 5 == 0)
            options.add("-XDstringConcat=inline");
        return options;
    }

    private int below(int n) {
        return random.nextInt(n);
    }

    private void write() {
        int parts = 2 + below(4);

        out.append(FIXED);
        classes();
        worker(parts);
        statics();
        out.append("    public static String run() {\n        W w = new W(").append(below(100))
            .append(");\n");
        for (int i = 0; i < parts; i++)
            out.append("        w.part(").append(i).append(");\n");
        for (int i = 0, count = below(4); i < count; i++)
            out.append("        ").append(THREADS[below(THREADS.length)]
                .replace("#", "" + (2 + below(4)))).append('\n');
        out.append("        return w.out.toString();\n    }\n}\n");
    }

    private Body body(List<Body.Method> methods, Body.Type result, int budget, boolean isConfined) {
        return new Body(random, methods, result, 3, budget, isConfined);
    }

    /** Base, Middle and Leaf override one another's methods at random. */
    private void classes() {
        String[] names = { "Base", "Middle", "Leaf" };

        for (int i = 0; i < 3; i++) {
            out.append("    static class ").append(names[i]).append(i == 0 ? "" : " extends "
                + names[i - 1]).append(" implements Shape {\n");
            if (i == 0)
                out.append("        public int size; protected Object label = \"l\";\n")
                    .append("        Base(int size) { this.size = size; }\n");
            else
                out.append("        ").append(names[i]).append("(int size) { super(size + ")
                    .append(below(9)).append("); }\n");
            if (i == 2)
                out.append("        private final long secret = ").append(below(1000)).append(";\n");
            if (i == 0 || below(2) == 0)
                out.append("        public int area() { return size * ").append(below(20))
                    .append(i > 0 ? " + super.area()" : "").append("; }\n");
            if (below(2) == 0)
                out.append("        public String name() { return \"").append(names[i])
                    .append(i == 0 ? "\" + Shape.super.name(); }\n" : "\" + super.name(); }\n");
            if (below(3) == 0)
                out.append("        public synchronized int twice(int n) { return n + area(); }\n");
            out.append("        @Override public String toString() { return name() + size; }\n    }\n");
        }
    }

    /** The class whose methods hold the random code. */
    private void worker(int parts) {
        List<Body.Method> methods = new ArrayList<>(), confined = new ArrayList<>();
        int count = 2 + below(6);

        out.append(WORKER);
        for (int i = 0; i < count; i++) {
            boolean isConfined = i % 2 == 0;
            Body.Method m = new Body.Method("m" + i, Body.anyType(random), parameters());
            /* Later methods call earlier ones, and themselves: take() ends that. */
            List<Body.Method> callable = new ArrayList<>(isConfined ? confined : methods);

            callable.add(m);
            method(m, callable, isConfined);
            methods.add(m);
            if (isConfined)
                confined.add(m);
        }
        for (int i = 0; i < parts; i++) {
            Body b = body(i == 0 ? confined : methods, null, 60, i == 0);

            b.statements(6 + below(10), 3);
            out.append("        void part").append(i).append("() {\n").append(b.out).append("        }\n");
        }
        out.append("        void part(int n) {\n            try {\n                switch (n) {\n");
        for (int i = 0; i < parts; i++)
            out.append("                case ").append(i).append(": part").append(i)
                .append("(); break;\n");
        out.append("                }\n            } catch (Throwable e) {\n                caught(e);\n")
            .append("            }\n            log(count + \" \" + sum + \" \" + real + \" \" + text);\n")
            .append("        }\n    }\n");
    }

    private List<Body.Type> parameters() {
        List<Body.Type> types = new ArrayList<>();

        for (int n = below(6); n > 0; n--)
            types.add(Body.anyType(random));
        return types;
    }

    private void method(Body.Method m, List<Body.Method> callable, boolean isConfined) {
        Body b = body(callable, m.result(), 25, isConfined);
        String result;

        out.append("        ").append(below(6) == 0 ? "synchronized " : below(4) == 0 ? "private " : "")
            .append(m.result().java).append(' ').append(m.call()).append('(');
        for (int i = 0; i < m.parameters().size(); i++) {
            out.append(i == 0 ? "" : ", ").append(m.parameters().get(i).java).append(" p").append(i);
            b.parameter("p" + i, m.parameters().get(i));
        }
        b.statements(2 + below(6), 2);
        result = b.expression(m.result(), 3);
        out.append(") {\n            if (!take()) return ").append(zero(m.result())).append(";\n")
            .append(b.out).append("            return ").append(result).append(";\n        }\n");
    }

    private static String zero(Body.Type type) {
        return switch (type) {
        case INT, LONG, FLOAT, DOUBLE, CHAR, BYTE, SHORT -> "(" + type.java + ") 0";
        case BOOLEAN -> "false";
        default -> "null";
        };
    }

    /** Classes whose initializers may throw. */
    private void statics() {
        for (int i = 0; i < 3; i++)
            out.append("    static class Init").append(i).append(" {\n        static int value = ")
                .append(i == 0 ? "3" : "Init" + (i - 1) + ".value").append(" / ")
                .append(below(3) == 0 ? "P.zero" : "1").append(";\n        static { P.total += value; }\n    }\n");
    }

    // ---- what all programs have ----

    private static final String FIXED = """
        import java.lang.annotation.*;
        import java.lang.invoke.*;
        import java.lang.reflect.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.concurrent.atomic.*;
        import java.util.concurrent.locks.*;

        @SuppressWarnings({"unchecked", "rawtypes"})
        public class P {
            static int total, zero;
            static final Object LOCK = new Object();
            enum Colour { RED, GREEN { int weight() { return 7; } }, BLUE; int weight() { return ordinal(); } }
            record Point(int x, String name) { Point { if (x == 77) throw new Thrown(name); } }
            static class Thrown extends RuntimeException { Thrown(String m) { super(m); } }
            @Retention(RetentionPolicy.RUNTIME) @interface Mark { int value() default 3; String[] names() default {"n"}; }
            interface Shape {
                int area();
                default String name() { return "shape" + hidden(); }
                private int hidden() { return area() % 5; }
                @Mark(value = 9, names = {}) default int twice(int n) { return 2 * n; }
                static void boom() { throw new Thrown("boom"); }
            }
            static class Closing implements AutoCloseable {
                final W w; final int n;
                Closing(W w, int n) { this.w = w; this.n = n; if (n == 11) throw new Thrown("open"); }
                public void close() { w.log("close " + n); if (n % 3 == 1) throw new Thrown("close"); }
            }
            static int length(String s) { return s.length(); }
            static String cut(String s) { return s != null && s.length() > 60 ? s.substring(0, 60) : s; }
            static String show(Object o) {
                if (o instanceof int[] a) return Arrays.toString(a.length > 20 ? Arrays.copyOf(a, 20) : a);
                if (o instanceof long[] a) return Arrays.toString(a);
                if (o instanceof Object[] a) {
                    StringBuilder b = new StringBuilder(a.getClass().getName()).append('[');
                    for (int i = 0; i < a.length && i < 5; i++) b.append(a[i] == o ? "self" : a[i] instanceof Object[] ? "array" : show(a[i])).append(' ');
                    return cut(b.append(']').toString());
                }
                return cut(String.valueOf(o));
            }
            static String describe(Throwable e) {
                StringBuilder b = new StringBuilder();
                for (int n = 0; e != null && n < 4; e = e.getCause(), n++) {
                    b.append(e.getClass().getName()).append(": ").append(String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@"));
                    int shown = 0;
                    for (StackTraceElement s : e.getStackTrace())
                        if (s.getClassName().startsWith("P") && shown++ < 6)
                            b.append(" at ").append(s.getClassName()).append('.').append(s.getMethodName()).append(':').append(s.getLineNumber());
                    for (Throwable t : e.getSuppressed()) b.append(" suppressed ").append(t.getMessage());
                    b.append(" / ");
                }
                return b.toString();
            }
            static String reflect(Object o, String name, Object... args) {
                try {
                    for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
                        for (Method m : c.getDeclaredMethods())
                            if (m.getName().equals(name) && !m.isBridge())
                                return m + " = " + m.invoke(o, args);
                    Method m = Shape.class.getMethod(name, args.length == 0 ? new Class<?>[0] : new Class<?>[] { int.class });
                    Mark mark = m.getAnnotation(Mark.class);
                    return (mark == null ? "" : mark.value() + Arrays.toString(mark.names())) + m.toGenericString() + " = " + m.invoke(o, args);
                } catch (ReflectiveOperationException | RuntimeException e) { return describe(e); }
            }
            static String field(Object o, String name, Object value) {
                try {
                    for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
                        for (Field f : c.getDeclaredFields())
                            if (f.getName().equals(name)) {
                                f.setAccessible(true);
                                Object old = f.get(o);
                                f.set(o, value);
                                return Modifier.toString(f.getModifiers()) + show(old) + show(f.get(o));
                            }
                    return "" + o.getClass().getField(name);
                } catch (ReflectiveOperationException | RuntimeException e) { return describe(e); }
            }
            static String handle(Object o, int n) {
                try {
                    MethodHandles.Lookup l = MethodHandles.lookup();
                    MethodHandle h = l.findStatic(P.class, "show", MethodType.methodType(String.class, Object.class));
                    h = n % 2 == 0 ? MethodHandles.insertArguments(h, 0, o) : h.bindTo(o);
                    MethodHandle g = MethodHandles.guardWithTest(
                        MethodHandles.dropArguments(MethodHandles.constant(boolean.class, n > 5), 0, int.class),
                        MethodHandles.dropArguments(h, 0, int.class),
                        l.findVirtual(Integer.class, "toString", MethodType.methodType(String.class))
                            .asType(MethodType.methodType(String.class, int.class)));
                    MethodHandle caught = MethodHandles.catchException(
                        l.findVirtual(Shape.class, "area", MethodType.methodType(int.class)).asType(MethodType.methodType(int.class, Object.class)),
                        ClassCastException.class,
                        MethodHandles.dropArguments(MethodHandles.constant(int.class, n), 0, ClassCastException.class));
                    VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class);
                    int[] a = new int[3];
                    return (String) g.invoke(n) + (int) caught.invoke(o) + ints.getAndAdd(a, n & 3, 5) + (boolean) ints.compareAndSet(a, 1, 5, 6) + a[1];
                } catch (Throwable e) { return describe(e); }
            }
            static String proxy(int n, String s) {
                Shape p = (Shape) Proxy.newProxyInstance(P.class.getClassLoader(), new Class<?>[] { Shape.class },
                    (self, m, args) -> switch (n & 3) {
                        case 0 -> n;
                        case 1 -> s;
                        case 2 -> m.isDefault() ? InvocationHandler.invokeDefault(self, m, args) : (Object) n;
                        default -> throw new Exception(s);
                    });
                try { return p.area() + p.name() + p.twice(n); } catch (RuntimeException e) { return describe(e); }
            }
        """;

    private static final String WORKER = """
            static class W {
                final StringBuilder out = new StringBuilder();
                int fuel = 500, count, lines; long sum; double real = 1; String text = "t"; int[] ints = { 1, 2, 3 }; Object any = "o";
                W(int n) { count = n; }
                boolean take() { return --fuel > 0; }
                void log(Object o) { if (lines++ < 400) out.append(show(o)).append('\\n'); }
                void caught(Throwable e) { log(describe(e).replace('\\n', ' ')); if (lines < 400) out.append(describe(e)).append('\\n'); }
        """.indent(0);

    /** Statements of run() about threads; w is the main worker, # a small number. */
    private static final String[] THREADS = {
        "{ W[] ws = new W[#]; Thread[] ts = new Thread[#]; for (int i = 0; i < #; i++) { W x = ws[i] = new W(i); ts[i] = new Thread(() -> x.part(0)); ts[i].start(); } try { for (Thread t : ts) t.join(); } catch (InterruptedException e) { w.caught(e); } for (W x : ws) w.out.append(x.out); }",
        "{ int[] n = new int[1]; Thread[] ts = new Thread[#]; for (int i = 0; i < #; i++) { ts[i] = new Thread(() -> { for (int k = 0; k < 500; k++) synchronized (n) { n[0] += k; } }); ts[i].start(); } try { for (Thread t : ts) t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(n[0]); }",
        "{ int[] turn = new int[1]; StringBuffer b = new StringBuffer(); Thread[] ts = new Thread[#]; for (int i = 0; i < #; i++) { int me = i; ts[i] = new Thread(() -> { for (int k = 0; k < 20; k++) synchronized (turn) { while (turn[0] != me) try { turn.wait(); } catch (InterruptedException e) { return; } b.append(me); turn[0] = (me + 1) % #; turn.notifyAll(); } }); ts[i].start(); } try { for (Thread t : ts) t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(b.substring(0, 30)); }",
        "{ String[] said = new String[1]; Thread t = new Thread(() -> { try { Thread.sleep(60000); } catch (InterruptedException e) { said[0] = e.getMessage() + Thread.currentThread().isInterrupted(); } }); t.start(); t.interrupt(); try { t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(said[0]); }",
        "{ String[] said = new String[1]; Thread t = new Thread(() -> { w.part(0); throw new Thrown(\"from thread\"); }, \"named #\"); t.setUncaughtExceptionHandler((x, e) -> said[0] = x.getName() + describe(e)); t.start(); try { t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(said[0] + t.getState()); }",
        "{ ExecutorService pool = Executors.newFixedThreadPool(#); try { List<Callable<Integer>> tasks = new ArrayList<>(); for (int i = 0; i < 10; i++) { int n = i; tasks.add(() -> { if (n == 7) throw new Thrown(\"seven\"); return n * #; }); } for (Future<Integer> f : pool.invokeAll(tasks)) try { w.log(f.get()); } catch (ExecutionException e) { w.log(e.getMessage() + describe(e.getCause())); } } catch (InterruptedException e) { w.caught(e); } pool.shutdown(); }",
        "{ ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> #); InheritableThreadLocal<String> passed = new InheritableThreadLocal<>(); passed.set(\"main\"); local.set(9); String[] said = new String[1]; Thread t = new Thread(() -> said[0] = local.get() + passed.get()); t.start(); try { t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(said[0] + local.get()); }",
        "{ ReentrantLock lock = new ReentrantLock(); Condition full = lock.newCondition(); int[] box = new int[2]; Thread t = new Thread(() -> { for (int k = 0; k < 50; k++) { lock.lock(); try { while (box[0] != 0) full.awaitUninterruptibly(); box[0] = k + 1; full.signalAll(); } finally { lock.unlock(); } } }); t.start(); for (int k = 0; k < 50; k++) { lock.lock(); try { while (box[0] == 0) full.awaitUninterruptibly(); box[1] = box[1] * # + box[0]; box[0] = 0; full.signalAll(); } finally { lock.unlock(); } } w.log(box[1]); }",
        "{ try { LOCK.notify(); } catch (RuntimeException e) { w.caught(e); } try { synchronized (LOCK) { LOCK.wait(1, 1000000 * #); } } catch (RuntimeException | InterruptedException e) { w.caught(e); } }",
        "{ for (int i = 0; i < 3; i++) try { w.log(i == 0 ? Init2.value : i == 1 ? Init1.value : Init0.value); } catch (Throwable e) { w.caught(e); } }",
        "{ CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> #).thenApplyAsync(n -> n * n).thenCombine(CompletableFuture.supplyAsync(() -> 5), Integer::sum); CompletableFuture<Object> bad = CompletableFuture.supplyAsync(() -> { throw new Thrown(\"async\"); }); w.log(f.join() + \" \" + bad.handle((v, e) -> e.getMessage()).join()); }",
        "{ AtomicLong a = new AtomicLong(); CountDownLatch l = new CountDownLatch(#); for (int i = 0; i < #; i++) new Thread(() -> { for (int k = 0; k < 300; k++) a.accumulateAndGet(k, Math::addExact); l.countDown(); }).start(); try { l.await(); } catch (InterruptedException e) { w.caught(e); } w.log(a); }",
        "{ try { w.log(new Object() { int deep(int n) { return deep(n + 1) + 1; } }.deep(0)); } catch (StackOverflowError e) { w.log(\"deep\"); } }",
        "{ Thread t = new Thread(() -> { LockSupport.park(); }); t.start(); LockSupport.unpark(t); try { t.join(); } catch (InterruptedException e) { w.caught(e); } w.log(t.isAlive()); ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>(); Thread[] ts = new Thread[#]; for (int i = 0; i < #; i++) { ts[i] = new Thread(() -> { for (int k = 0; k < 100; k++) m.merge(k % 7, k, Integer::sum); }); ts[i].start(); } try { for (Thread x : ts) x.join(); } catch (InterruptedException e) { w.caught(e); } w.log(new TreeMap<>(m)); }"
    };
}
