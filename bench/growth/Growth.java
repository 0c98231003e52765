// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * "Growth OPERATION N" prints the processor time of an operation with N of something; the
 * table of sizes is in the script "run".
 */
public class Growth {
    static native void begin();
    static native void end();
    static native double spent();
    static native void findMembers(Class<?> klass, boolean fields, int n);
    static native void redefine(Class<?> klass, byte[] file, int n);
    static native void loadedClasses(int times);
    static native void breakpoints(Class<?> klass);
    static native void breakpointsIn(Class<?> klass, int n);
    static native void watches(Class<?> klass);
    static native void tables(Class<?> klass, boolean lines, int times);
    static native void allStacks(int times);
    static native void suspendAll(Thread[] threads, int times);
    static native void threadStorage(Thread[] threads);
    static native void stack(int times);
    static native void frameLocations(int n);
    static native void framePops(int n);
    static native void globals(Object[] objects, boolean weak);
    static native void locals(Object o, int n);
    static native void monitors(Object[] objects);
    static native void rawMonitors(int n);
    static native void tag(Object[] objects);
    static native void withTag();
    static native void follow(Object from);
    static native void environments(int n, boolean before);

    interface Work {
        void run() throws Throwable;
    }

    static void time(Work work) throws Throwable {
        begin();
        work.run();
        end();
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(Growth.class.getClassLoader());
        }

        Loader(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(byte[] file) {
            return defineClass(null, file, 0, file.length);
        }
    }

    /** Keeps what an operation has made until its time was taken. */
    static Object kept;
    static int sum;

    static final String OBJECT = "java/lang/Object";

    static ClassFile small(String name) throws Exception {
        ClassFile file = new ClassFile(ClassFile.PUBLIC, name, OBJECT);
        file.field(ClassFile.STATIC, "f", "I");
        file.method(ClassFile.PUBLIC | ClassFile.STATIC, "run", "()V",
                    new ClassFile.Code().op(177));
        return file;
    }

    static Object[] objects(int n) {
        Object[] objects = new Object[n];
        for (int i = 0; i < n; i++)
            objects[i] = new Object();
        return objects;
    }

    static byte[][] smallFiles(int n, String prefix) throws Exception {
        byte[][] files = new byte[n][];
        for (int i = 0; i < n; i++)
            files[i] = small(prefix + i).bytes();
        return files;
    }

    static Class<?>[] smallClasses(int n, boolean ownLoaders) throws Exception {
        Class<?>[] classes = new Class<?>[n];
        byte[][] files = ownLoaders ? null : smallFiles(n, "C");
        byte[] one = small("C").bytes();
        Loader loader = new Loader();
        for (int i = 0; i < n; i++)
            classes[i] = ownLoaders ? new Loader().define(one) : loader.define(files[i]);
        return classes;
    }

    /** A class with n methods or static fields m0, m1... */
    static Class<?> wide(int n, boolean fields) throws Exception {
        ClassFile file = new ClassFile(ClassFile.PUBLIC, "Wide", OBJECT);
        for (int i = 0; i < n; i++)
            if (fields)
                file.field(ClassFile.PUBLIC | ClassFile.STATIC, "m" + i, "I");
            else
                file.method(ClassFile.PUBLIC | ClassFile.STATIC, "m" + i, "()V",
                            new ClassFile.Code().op(177));
        return initialized(new Loader().define(file.bytes()));
    }

    static Class<?> initialized(Class<?> c) throws Exception {
        return Class.forName(c.getName(), true, c.getClassLoader());
    }

    /** A class with that code as run(). */
    static Class<?> withCode(ClassFile file, ClassFile.Code code) throws Exception {
        file.method(ClassFile.PUBLIC | ClassFile.STATIC, "run", "()V", code);
        return initialized(new Loader().define(file.bytes()));
    }

    static ClassFile empty() {
        return new ClassFile(ClassFile.PUBLIC, "Generated", OBJECT);
    }

    static MethodHandle handle(Class<?> c) throws Exception {
        return MethodHandles.lookup().findStatic(c, "run",
                                                 MethodType.methodType(void.class));
    }

    static void call(Class<?> c, int times) throws Throwable {
        MethodHandle run = handle(c);
        time(() -> {
            for (int i = 0; i < times; i++)
                run.invokeExact();
        });
    }

    // ---- classes ----

    static void unload(int n) throws Throwable {
        kept = smallClasses(n, true);
        System.gc();
        kept = null;
        time(() -> {
            System.gc();
            System.gc();
        });
    }

    static void chain(int n, boolean interfaces) throws Throwable {
        byte[][] files = new byte[n][];
        for (int i = 0; i < n; i++) {
            String parent = i == 0 ? interfaces ? "java/lang/Runnable" : OBJECT : "C" + (i - 1);
            ClassFile file = interfaces
                ? new ClassFile(ClassFile.PUBLIC | ClassFile.INTERFACE, "C" + i, OBJECT, parent)
                : new ClassFile(ClassFile.PUBLIC, "C" + i, parent);
            files[i] = file.bytes();
        }
        Loader loader = new Loader();
        time(() -> {
            Class<?> last = null, first = null;
            for (byte[] file : files) {
                last = loader.define(file);
                if (first == null)
                    first = last;
            }
            initialized(last);
            for (int i = 0; i < files.length; i++)
                if (!first.isAssignableFrom(last))
                    throw new AssertionError();
        });
    }

    static void interfaces(int n) throws Throwable {
        Loader loader = new Loader();
        String[] names = new String[n];
        Class<?>[] all = new Class<?>[n];
        for (int i = 0; i < n; i++) {
            names[i] = "I" + i;
            all[i] = loader.define(
                new ClassFile(ClassFile.PUBLIC | ClassFile.INTERFACE, names[i], OBJECT)
                    .bytes());
        }
        byte[] file = new ClassFile(ClassFile.PUBLIC, "Many", OBJECT, names).bytes();
        time(() -> {
            Class<?> c = initialized(loader.define(file));
            for (Class<?> i : all)
                if (!i.isAssignableFrom(c))
                    throw new AssertionError();
        });
    }

    static void arrays(int n) throws Throwable {
        Class<?>[] classes = smallClasses(n / 10, false);
        time(() -> {
            for (Class<?> c : classes)
                for (int i = 0; i < 10; i++)
                    c = c.arrayType();
        });
    }

    static void hidden(int n) throws Throwable {
        byte[] file = small("Hidden").bytes();
        Class<?>[] all = new Class<?>[n];
        kept = all;
        time(() -> {
            for (int i = 0; i < n; i++)
                all[i] = MethodHandles.lookup().defineHiddenClass(file, true).lookupClass();
        });
    }

    static void handles(int n) throws Throwable {
        Class<?> c = wide(n, false);
        MethodHandle[] all = new MethodHandle[n];
        MethodType type = MethodType.methodType(void.class);
        time(() -> {
            for (int i = 0; i < n; i++) {
                all[i] = MethodHandles.lookup().findStatic(c, "m" + i, type);
                all[i].invokeExact();
            }
        });
    }

    static void packages(int n) throws Throwable {
        byte[][] files = new byte[n][];
        for (int i = 0; i < n; i++)
            files[i] = small("p" + i + "/C").bytes();
        Loader loader = new Loader();
        time(() -> {
            for (byte[] file : files)
                sum += loader.define(file).getPackage().getName().length();
        });
    }

    static void modules(int n) throws Throwable {
        Set<ModuleReference> all = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < n; i++) {
            ModuleDescriptor d = ModuleDescriptor.newModule("m" + i)
                .packages(Set.of("p" + i)).exports("p" + i).build();
            names.add("m" + i);
            all.add(new ModuleReference(d, URI.create("m:" + i)) {
                @Override
                public ModuleReader open() {
                    throw new UnsupportedOperationException();
                }
            });
        }
        ModuleFinder finder = new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String name) {
                return all.stream().filter(r -> r.descriptor().name().equals(name))
                    .findFirst();
            }

            @Override
            public Set<ModuleReference> findAll() {
                return all;
            }
        };
        var configuration = ModuleLayer.boot().configuration()
            .resolve(finder, ModuleFinder.of(), names);
        Loader[] loaders = new Loader[n];
        for (int i = 0; i < n; i++)
            loaders[i] = new Loader();
        time(() -> kept = ModuleLayer.boot().defineModules(
                 configuration, name -> loaders[Integer.parseInt(name.substring(1))]));
    }

    /** n classes of a child loader, each linked with one of the parent's. */
    static void constraints(int n) throws Throwable {
        Loader parent = new Loader();
        byte[][] files = new byte[n][];
        ClassFile base = new ClassFile(ClassFile.PUBLIC, "Base", OBJECT);
        base.method(ClassFile.PUBLIC, "m", "(LShared;)V",
                    new ClassFile.Code().op(177));
        parent.define(base.bytes());
        ClassFile sub = new ClassFile(ClassFile.PUBLIC, "Sub", "Base");
        sub.method(ClassFile.PUBLIC, "m", "(LShared;)V", new ClassFile.Code().op(177));
        byte[] file = sub.bytes();
        Object[] all = new Object[n];
        time(() -> {
            for (int i = 0; i < n; i++)
                all[i] = initialized(new Loader(parent).define(file));
        });
        kept = all;
        time(System::gc);
        kept = null;
        java.util.Arrays.fill(all, null);
        time(System::gc);
    }

    // ---- code ----

    static void bigMethod(int n, boolean branches) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code().op(3, 59);
        for (int i = 0; i < n; i++)
            if (branches)
                code.op(26).wide(154, 6).op(132, 0, 0);   // if (x != 0) ; x += 0
            else
                code.op(26, 4, 96, 59);                   // x = x + 1
        code.op(177);
        file.method(ClassFile.PUBLIC | ClassFile.STATIC, "run", "()V", code);
        byte[] bytes = file.bytes();
        time(() -> {
            handle(initialized(new Loader().define(bytes))).invokeExact();
        });
    }

    /** A throw below n handlers of other types. */
    static void handlers(int n) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code().op(1, 191, 87, 177);
        int other = file.type("java/lang/Error");
        for (int i = 0; i < n; i++)
            code.handler(0, 2, 2, other);
        code.handler(0, 2, 2, file.type("java/lang/NullPointerException"));
        call(withCode(file, code), 200);
    }

    static void lookupSwitch(int n) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code().wide(17, 2 * (n - 1)).op(171);
        int at = code.out.size() - 1, size = 4 + (3 - at % 4) + 5 + 8 * n - 4;
        while (code.out.size() % 4 != 0)
            code.out.writeByte(0);
        int end = code.out.size() + 8 + 8 * n - at;
        code.out.writeInt(end);
        code.out.writeInt(n);
        for (int i = 0; i < n; i++) {
            code.out.writeInt(2 * i);
            code.out.writeInt(end);
        }
        code.op(177);
        call(withCode(file, code), 2000);
    }

    static void constants(int n) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code();
        for (int i = 0; i < n; i++)
            code.wide(19, file.string("constant " + i)).op(87);
        code.op(177);
        file.method(ClassFile.PUBLIC | ClassFile.STATIC, "run", "()V", code);
        byte[] bytes = file.bytes();
        time(() -> {
            handle(initialized(new Loader().define(bytes))).invokeExact();
        });
    }

    /** Stack traces through the last of n lines. */
    static void lines(int n, boolean table) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code();
        for (int i = 0; i < n; i++) {
            code.line(i + 1);
            code.op(0);
        }
        code.line(n + 1);
        code.op(184).out.writeShort(file.member(false, "Growth", "trace", "()V"));
        code.op(177);
        Class<?> c = withCode(file, code);
        if (table)
            time(() -> tables(c, true, 500));
        else
            call(c, 200);
    }

    public static void trace() {
        for (int i = 0; i < 20; i++)
            sum += new Throwable().getStackTrace().length;
    }

    static void localTable(int n) throws Throwable {
        ClassFile file = empty();
        ClassFile.Code code = new ClassFile.Code().op(177);
        for (int i = 0; i < n; i++)
            code.local(0, 1, file.text("v" + i), file.text("I"), i);
        code.variables = n;
        Class<?> c = withCode(file, code);
        time(() -> tables(c, false, 20));
    }

    static Class<?> nops(int n) throws Exception {
        ClassFile.Code code = new ClassFile.Code();
        for (int i = 0; i < n; i++)
            code.op(0);
        return withCode(empty(), code.op(177));
    }

    // ---- threads ----

    static final Object gate = new Object();
    static int waiting;
    static boolean isOpen;

    static void await() {
        synchronized (gate) {
            waiting++;
            gate.notifyAll();
            while (!isOpen)
                try {
                    gate.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
        }
    }

    static Thread[] threads(int n) throws Exception {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(null, Growth::await, "t" + i, 256 << 10);
            threads[i].start();
        }
        synchronized (gate) {
            while (waiting < n)
                gate.wait();
        }
        return threads;
    }

    static void open(Thread[] threads) throws Exception {
        synchronized (gate) {
            isOpen = true;
            gate.notifyAll();
        }
        for (Thread t : threads)
            t.join();
    }

    static void withThreads(int n, java.util.function.Consumer<Thread[]> work)
            throws Throwable {
        Thread[] threads = threads(n);
        time(() -> work.accept(threads));
        open(threads);
    }

    /** Each waits for the monitor that this thread has. */
    static void contenders(int n) throws Throwable {
        Object lock = new Object();
        Thread[] threads = new Thread[n];
        synchronized (lock) {
            for (int i = 0; i < n; i++) {
                threads[i] = new Thread(null, () -> {
                    synchronized (lock) {
                        sum++;
                    }
                }, "t" + i, 256 << 10);
                threads[i].start();
            }
            for (Thread t : threads)
                while (t.getState() != Thread.State.BLOCKED)
                    Thread.sleep(1);
            begin();
        }
        for (Thread t : threads)
            t.join();
        end();
    }

    /** Monitors that were waited for. */
    static void inflated(int n) throws Throwable {
        Object[] objects = objects(n);
        Thread[] threads = new Thread[64];
        for (int k = 0; k < threads.length; k++) {
            int from = k;
            threads[k] = new Thread(() -> {
                for (int i = from; i < n; i += 64)
                    synchronized (objects[i]) {
                        try {
                            objects[i].wait(1);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
            });
            threads[k].start();
        }
        for (Thread t : threads)
            t.join();
        time(() -> {
            for (int i = 0; i < 5; i++) {
                for (Object o : objects)
                    synchronized (o) {
                        sum++;
                    }
                System.gc();
            }
        });
    }

    static void nested(Object[] objects, int i) {
        if (i < objects.length)
            synchronized (objects[i]) {
                nested(objects, i + 1);
            }
    }

    static void threadLocals(int n) throws Throwable {
        time(() -> {
            ThreadLocal<?>[] all = new ThreadLocal<?>[n];
            for (int i = 0; i < n; i++) {
                int value = i;
                all[i] = ThreadLocal.withInitial(() -> value);
                all[i].get();
            }
            for (ThreadLocal<?> t : all)
                t.remove();
        });
    }

    // ---- stacks ----

    static void deep(int n, Work work) throws Throwable {
        if (n > 1)
            deep(n - 1, work);
        else
            time(work);
    }

    static void thrower(int n) {
        if (n == 0)
            throw new IllegalStateException();
        thrower(n - 1);
        sum++;
    }

    static void rethrower(int n) {
        if (n == 0)
            throw new IllegalStateException();
        try {
            rethrower(n - 1);
        } finally {
            sum++;
        }
    }

    static void throwing(int n, boolean again) throws Throwable {
        time(() -> {
            for (int i = 0; i < 20; i++)
                try {
                    if (again)
                        rethrower(n);
                    else
                        thrower(n);
                } catch (IllegalStateException e) {
                    sum++;
                }
        });
    }

    // ---- heap ----

    static class Node {
        Node next, other;
    }

    static Node list(int n) {
        Node first = null;
        for (int i = 0; i < n; i++) {
            Node node = new Node();
            node.next = first;
            first = node;
        }
        return first;
    }

    static void tags(int n, boolean die) throws Throwable {
        Object[] objects = objects(n);
        if (!die) {
            time(() -> tag(objects));
            return;
        }
        tag(objects);
        java.util.Arrays.fill(objects, null);
        time(System::gc);
    }

    static void references(int n, char kind) throws Throwable {
        Object[] objects = objects(n);
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<?>[] all = new Reference<?>[n];
        for (int i = 0; i < n; i++)
            all[i] = kind == 'w' ? new WeakReference<>(objects[i], queue)
                     : kind == 's' ? new SoftReference<>(objects[i], queue)
                     : new PhantomReference<>(objects[i], queue);
        if (kind != 's')
            java.util.Arrays.fill(objects, null);
        kept = objects;
        time(() -> {
            System.gc();
            for (int i = 0; kind != 's' && i < n; i++)
                if (queue.remove() == null)
                    throw new AssertionError();
        });
        kept = all;
    }

    static int finalized;

    static class Final {
        @Override
        @SuppressWarnings({ "deprecation", "removal" })
        protected void finalize() {
            synchronized (gate) {
                if (++finalized % 100 == 0)
                    gate.notifyAll();
            }
        }
    }

    static void finalizers(int n) throws Throwable {
        time(() -> {
            for (int i = 0; i < n + 100; i++)
                new Final();
            System.gc();
            synchronized (gate) {
                while (finalized < n)
                    gate.wait(100);
            }
        });
    }

    static void cleaners(int n) throws Throwable {
        Cleaner cleaner = Cleaner.create();
        Object[] objects = objects(n);
        Cleaner.Cleanable[] all = new Cleaner.Cleanable[n];
        time(() -> {
            for (int i = 0; i < n; i++)
                all[i] = cleaner.register(objects[i], () -> sum++);
            for (Cleaner.Cleanable c : all)
                c.clean();
        });
    }

    static void intern(int n) throws Throwable {
        String[] texts = new String[n];
        for (int i = 0; i < n; i++)
            texts[i] = "text " + i;
        kept = texts;
        time(() -> {
            for (String s : texts)
                s.intern();
        });
        time(System::gc);
    }

    static void properties(int n) throws Throwable {
        time(() -> {
            for (int i = 0; i < n; i++)
                System.setProperty("growth." + i, "");
            for (int i = 0; i < n; i++)
                sum += System.getProperty("growth." + i).length();
        });
    }

    static void run(String operation, int n) throws Throwable {
        switch (operation) {
        case "classes-one-loader": {
            byte[][] files = smallFiles(n, "C");
            Loader loader = new Loader();
            time(() -> {
                for (byte[] file : files)
                    initialized(loader.define(file));
            });
            break;
        }
        case "loaders": time(() -> kept = smallClasses(n, true)); break;
        case "unloading": unload(n); break;
        case "loader-constraints": constraints(n); break;
        case "superclasses": chain(n, false); break;
        case "superinterfaces": chain(n, true); break;
        case "interfaces": interfaces(n); break;
        case "array-classes": arrays(n); break;
        case "hidden-classes": hidden(n); break;
        case "method-handles": handles(n); break;
        case "packages": packages(n); break;
        case "modules": modules(n); break;
        case "define-fields": time(() -> wide(n, true)); break;
        case "define-methods": time(() -> wide(n, false)); break;
        case "find-fields": {
            Class<?> c = wide(n, true);
            time(() -> findMembers(c, true, n));
            break;
        }
        case "find-methods": {
            Class<?> c = wide(n, false);
            time(() -> findMembers(c, false, n));
            break;
        }
        case "reflect-methods": {
            Class<?> c = wide(n, false);
            time(() -> sum += c.getMethods().length);
            break;
        }
        case "redefinitions": {
            Class<?> c = smallClasses(1, true)[0];
            time(() -> redefine(c, small("C").bytes(), n));
            break;
        }
        case "loaded-classes": {
            kept = smallClasses(n, false);
            time(() -> loadedClasses(20));
            break;
        }
        case "big-method": bigMethod(n, false); break;
        case "branches": bigMethod(n, true); break;
        case "handlers": handlers(n); break;
        case "switch": lookupSwitch(n); break;
        case "constants": constants(n); break;
        case "line-lookup": lines(n, false); break;
        case "line-table": lines(n, true); break;
        case "local-table": localTable(n); break;
        case "breakpoints": {
            Class<?> c = wide(n, false);
            time(() -> breakpoints(c));
            break;
        }
        case "breakpoints-in-one": {
            Class<?> c = nops(n);
            time(() -> breakpointsIn(c, n));
            break;
        }
        case "watches": {
            Class<?> c = wide(n, true);
            time(() -> watches(c));
            break;
        }
        case "threads": time(() -> open(threads(n))); break;
        case "all-stacks": withThreads(n, t -> allStacks(20)); break;
        case "suspend-list": withThreads(n, t -> suspendAll(t, 20)); break;
        case "thread-storage": withThreads(n, t -> threadStorage(t)); break;
        case "gc-of-threads": withThreads(n, t -> System.gc()); break;
        case "thread-stacks-java":
            withThreads(n, t -> sum += Thread.getAllStackTraces().size());
            break;
        case "contenders": contenders(n); break;
        case "inflated": inflated(n); break;
        case "nested-locks": {
            Object[] all = objects(n);
            time(() -> nested(all, 0));
            break;
        }
        case "jni-monitors": {
            Object[] all = objects(n);
            time(() -> monitors(all));
            break;
        }
        case "raw-monitors": time(() -> rawMonitors(n)); break;
        case "thread-locals": threadLocals(n); break;
        case "stack-trace": deep(n, () -> stack(200)); break;
        case "frame-locations": deep(n, () -> frameLocations(n)); break;
        case "frame-pops": deep(n, () -> framePops(n)); break;
        case "deep-throwable": deep(n, () -> {
            for (int i = 0; i < 50; i++)
                new Throwable();
        }); break;
        case "deep-gc": deep(n, System::gc); break;
        case "stack-walk": deep(n, () -> {
            for (int i = 0; i < 5; i++)
                sum += StackWalker.getInstance().walk(s -> s.count()).intValue();
        }); break;
        case "unwinding": throwing(n, false); break;
        case "rethrowing": throwing(n, true); break;
        case "gc-list": kept = list(n); time(System::gc); break;
        case "gc-array": kept = objects(n); time(System::gc); break;
        case "follow-list": {
            Node first = list(n);
            time(() -> follow(first));
            break;
        }
        case "follow-array": {
            Object[] all = objects(n);
            time(() -> follow(all));
            break;
        }
        case "set-tags": tags(n, false); break;
        case "tagged-die": tags(n, true); break;
        case "objects-with-tags": {
            Object[] all = objects(n);
            tag(all);
            time(Growth::withTag);
            break;
        }
        case "weak-references": references(n, 'w'); break;
        case "soft-references": references(n, 's'); break;
        case "phantom-references": references(n, 'p'); break;
        case "finalizers": finalizers(n); break;
        case "cleaners": cleaners(n); break;
        case "interned": intern(n); break;
        case "jni-globals": {
            Object[] all = objects(n);
            time(() -> globals(all, false));
            break;
        }
        case "jni-weak-globals": {
            Object[] all = objects(n);
            time(() -> globals(all, true));
            break;
        }
        case "jni-locals": time(() -> locals(gate, n)); break;
        case "environments": {
            byte[][] files = smallFiles(100, "C");
            Loader loader = new Loader();
            time(() -> environments(n, true));
            time(() -> {
                for (byte[] file : files)
                    loader.define(file);
                System.gc();
                environments(n, false);
            });
            break;
        }
        case "properties": properties(n); break;
        default: throw new IllegalArgumentException(operation);
        }
    }

    public static void main(String[] args) throws Throwable {
        run(args[0], Integer.parseInt(args[1]));
        System.out.println(spent());
    }
}
