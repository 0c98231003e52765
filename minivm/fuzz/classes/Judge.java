// SPDX-License-Identifier: MIT
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * What the VM that runs this says of class files. Usage: Judge WORLD...
 *
 * A world is a jar or a directory: the other classes that a class file sees. Reads from
 * the standard input the number of the world or -1, flags, a length and the bytes, again
 * and again, and answers each with a text of lines: where it was refused (define, link,
 * init) and by what, or OK; the message; then each answer of reflection, as KEY=VALUE.
 */
public final class Judge {
    private static final int INITIALIZE = 1;
    private static final Map<String, byte[]> cache = new HashMap<>();

    private static final class Loader extends ClassLoader {
        private final String world;
        private final JarFile jar;

        Loader(String world, JarFile jar) {
            super(ClassLoader.getPlatformClassLoader());
            this.world = world;
            this.jar = jar;
        }

        private byte[] read(String name) {
            try {
                if (world == null)
                    return null;
                if (jar == null) {
                    Path file = Path.of(world, name);
                    return Files.exists(file) ? Files.readAllBytes(file) : null;
                }
                JarEntry entry = jar.getJarEntry(name);
                return entry == null ? null : jar.getInputStream(entry).readAllBytes();
            } catch (IOException | RuntimeException e) {
                return null;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String key = world + "!" + name;
            if (!cache.containsKey(key))
                cache.put(key, read(name.replace('.', '/') + ".class"));
            byte[] bytes = cache.get(key);
            if (bytes == null)
                throw new ClassNotFoundException(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    private final StringBuilder facts = new StringBuilder();

    private void fact(String name, Callable<Object> question) {
        Object answer;
        try {
            answer = question.call();
        } catch (Throwable e) {
            answer = e.getClass().getSimpleName();
        }
        facts.append(name).append('=').append(String.valueOf(answer).replace("\n", "\\n")).append('\n');
    }

    private static List<String> sorted(Object[] values) {
        List<String> texts = new ArrayList<>();
        for (Object value : values)
            texts.add(String.valueOf(value));
        Collections.sort(texts);
        return texts;
    }

    private static String name(Class<?> c) {
        return c == null ? null : c.getName();
    }

    private void executable(Executable e) {
        fact("method", e::toString);
        fact("generic", e::toGenericString);
        fact("annotations", () -> Arrays.toString(e.getDeclaredAnnotations()));
        fact("parameters", () -> Arrays.deepToString(e.getParameterAnnotations()));
        fact("names", () -> Arrays.toString(e.getParameters()));
        fact("types", () -> e.getAnnotatedReceiverType());
        if (e instanceof Method m)
            fact("default", () -> Arrays.deepToString(new Object[] { m.getDefaultValue() }));
    }

    private static String details(RecordComponent[] components) {
        StringBuilder text = new StringBuilder();
        if (components != null)
            for (RecordComponent r : components)
                text.append(r.getGenericType()).append(' ')
                    .append(Arrays.toString(r.getDeclaredAnnotations())).append(' ');
        return text.toString();
    }

    /** What reflection finds in the tables of the class file. */
    private String describe(Class<?> c) {
        facts.setLength(0);
        fact("name", c::getName);
        fact("flags", c::getModifiers);
        fact("super", c::getSuperclass);
        fact("interfaces", () -> Arrays.toString(c.getInterfaces()));
        fact("fields", () -> sorted(c.getDeclaredFields()));
        fact("methods", () -> sorted(c.getDeclaredMethods()));
        fact("constructors", () -> sorted(c.getDeclaredConstructors()));
        fact("host", () -> name(c.getNestHost()));
        fact("members", () -> sorted(c.getNestMembers()));
        fact("record", c::isRecord);
        fact("components", () -> Arrays.toString(c.getRecordComponents()));
        fact("details", () -> details(c.getRecordComponents()));
        fact("permitted", () -> Arrays.toString(c.getPermittedSubclasses()));
        fact("inner", () -> sorted(c.getDeclaredClasses()));
        fact("declaring", c::getDeclaringClass);
        fact("enclosing", c::getEnclosingClass);
        fact("enclosingMethod", c::getEnclosingMethod);
        fact("simple", c::getSimpleName);
        fact("generic", c::toGenericString);
        fact("annotations", () -> sorted(c.getDeclaredAnnotations()));
        fact("signature", c::getGenericSuperclass);
        fact("signatures", () -> Arrays.toString(c.getGenericInterfaces()));
        try {
            for (Field f : c.getDeclaredFields()) {
                fact("field", f::toGenericString);
                fact("annotations", () -> Arrays.toString(f.getDeclaredAnnotations()));
            }
            Method[] methods = c.getDeclaredMethods();
            Arrays.sort(methods, (a, b) -> a.toString().compareTo(b.toString()));
            for (Method m : methods)
                executable(m);
            Constructor<?>[] constructors = c.getDeclaredConstructors();
            Arrays.sort(constructors, (a, b) -> a.toString().compareTo(b.toString()));
            for (Constructor<?> constructor : constructors)
                executable(constructor);
        } catch (LinkageError | RuntimeException e) {
            facts.append(e.getClass().getSimpleName());
        }
        return facts.toString();
    }

    private static String refused(String stage, Throwable e) {
        Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : null;
        return stage + " " + e.getClass().getSimpleName()
            + (cause == null ? "" : " " + cause.getClass().getSimpleName()) + "\n"
            + String.valueOf(e.getMessage()).replace("\n", "\\n") + "\n";
    }

    private String judge(Loader loader, byte[] bytes, int flags) {
        String stage = "define";
        try {
            Class<?> c = loader.define(bytes);
            stage = "link";
            c.getDeclaredFields();
            String described = describe(c);
            if ((flags & INITIALIZE) != 0) {
                stage = "init";
                Class.forName(c.getName(), true, loader);
            }
            return "OK\n\n" + described;
        } catch (Throwable e) {
            return refused(stage, e);
        }
    }

    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        JarFile[] jars = new JarFile[args.length];
        for (int i = 0; i < args.length; i++)
            jars[i] = Files.isDirectory(Path.of(args[i])) ? null : new JarFile(args[i]);
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20));
        DataOutputStream out = new DataOutputStream(answers);
        Judge judge = new Judge();
        for (;;) {
            int world = in.readInt();
            if (world == -2)
                return;
            int flags = in.readInt();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            Loader loader = world < 0 ? new Loader(null, null)
                                      : new Loader(args[world], jars[world]);
            byte[] answer = judge.judge(loader, bytes, flags).getBytes("UTF-8");
            byte[] whole = new byte[answer.length + 4];
            for (int i = 0; i < 4; i++)
                whole[i] = (byte) (answer.length >> 24 - 8 * i);
            System.arraycopy(answer, 0, whole, 4, answer.length);
            out.write(whole);
            out.flush();
        }
    }
}
