// SPDX-License-Identifier: MIT
// departs: refused-native-modifier native may come and go (Redefine Classes)
// departs 17: refused-verification-boot not verified for the boot loader (Redefine Classes)
// departs 21: refused-verification-boot
// departs: interfaces-in-other-order the set is compared as a list (Redefine Classes)
// departs: version-1-frame-line no source file for old versions (Redefine Classes)
// departs: version-60 the class file version is not updated (Redefine Classes)
// departs 17: redefinition-is-initial an agent's old bytes stay (Retransform Classes)
// departs 17: no-hook an agent's old bytes stay (Retransform Classes)
// departs: line-again SourceFile is not updated back (Redefine Classes)
import java.io.InputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What the agent does, and where the other versions of the classes are. */
class Redefiner {
    static native void hook(String className);
    static native void digit(int env, char digit);
    static native String hookLog();
    static native int addLateCapability();
    static native int redefine(Class<?>[] classes, byte[][] files);
    static native int retransform(Class<?>... classes);
    static native boolean isModifiable(Class<?> c);
    static native long method(Object reflected);
    static native long frameMethod(int depth);
    static native boolean isObsolete(long method);
    static native String frames(int count);
    static native String describe(long method);
    static native String methods(Class<?> c);
    static native String classInfo(Class<?> c);
    static native int popFrame(Thread t);

    static byte[] bytes(String version, Class<?> c) {
        try {
            Path work = Path.of(Redefiner.class.getProtectionDomain().getCodeSource()
                                    .getLocation().toURI());
            String prefix = version.isEmpty() ? "" : "Redefine." + version + "/";
            return Files.readAllBytes(work.resolve(prefix + c.getName() + ".class"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Redefine these classes to their files of that version ("": the first). */
    static int to(String version, Class<?>... classes) {
        byte[][] files = new byte[classes.length][];
        for (int i = 0; i < files.length; i++)
            files[i] = bytes(version, classes[i]);
        return redefine(classes, files);
    }

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static void same(String name, Object expected, Object actual) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }
}

@Retention(RetentionPolicy.RUNTIME)
@interface Mark {
    String value();
}

@Retention(RetentionPolicy.RUNTIME)
@java.lang.annotation.Target(ElementType.TYPE_USE)
@interface Typed {
    String value();
}

@Retention(RetentionPolicy.RUNTIME)
@interface Many {
    Mark[] value();
    RetentionPolicy level();
    Class<?> type();
    int[] numbers();
}

@Mark("one")
class Target {
    static int counter = 41;
    int field = 5;
    static {
        Redefine.initialised++;
    }

    @Mark("one") int value() {
        return 1;
    }

    int twice(int x) {
        return x + x;
    }

    static String text() {
        return "one";
    }

    private int hidden() {
        return 10;
    }

    int callHidden() {
        return hidden();
    }

    synchronized int locked() {
        return 1;
    }

    static native int bound(int x);

    static Supplier<String> supplier(String with) {
        return () -> "lambda one " + with;
    }

    static int recurse(int depth, Runnable then) {
        if (depth == 0) {
            then.run();
            return 100;
        }
        int below = recurse(depth - 1, then);
        return below + 1;
    }

    static void same(Runnable then) {
        then.run();
    }

    static int loop(int rounds, Runnable then) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            if (i == 1)
                then.run();
            sum += 1;
        }
        return sum;
    }

    static Object caught(Runnable then) {
        try {
            then.run();
            throw new IllegalStateException("one");
        } catch (IllegalStateException e) {
            return e.getMessage() + " caught one";
        }
    }

    static int popped() {
        Redefine.arrived = true;
        while (!Redefine.go)
            continue;
        return 1;
    }

    @Mark("one")
    @Many(value = { @Mark("a"), @Mark("b") }, level = RetentionPolicy.SOURCE,
          type = String.class, numbers = { 1, 2 })
    @Typed("result one") String marked(int a, @Mark("parameter one") int b) {
        return "one";
    }

    List<String> list(List<String> in) throws java.io.IOException {
        return in;
    }

    static void fail() {
        throw new IllegalStateException("one");
    }
}

class Below extends Target {
    @Override int twice(int x) {
        return super.twice(x) + 1;
    }

    int inherited() {
        return value() + super.value();
    }
}

interface Shape {
    default String name() {
        return "shape one " + own();
    }

    private String own() {
        return "private one";
    }

    static String of() {
        return "static one";
    }
}

class Square implements Shape {
}

class Lazy {
    static int made = Redefine.note("lazy one");
}

class Pair {
    static String left() {
        return "left one";
    }
}

class Pear {
    static String right() {
        return "right one";
    }
}

class Opened {
    @Mark("one") public void open() {
    }
}

class Open extends Opened {
}

class Looped {
    /* 0 iconst_0, 1 istore_0, 2 iload_0, 3 iconst_3, 4 if_icmpge 17, 7 iload_0,
       8 invokestatic, 11 iinc, 14 goto 2, 17 return */
    static void loop() {
        for (int i = 0; i < 3; i++)
            Redefine.turn(i);
    }

    static String name() {
        return "looped one";
    }
}

public class Redefine extends Redefiner {
    static native int breakpoint(Class<?> c, String method, long location, boolean set);
    static native int hits();
    static int initialised;
    static final List<String> notes = new ArrayList<>();

    static final CountDownLatch inside = new CountDownLatch(1);
    static volatile boolean go;
    static volatile boolean arrived;    // by no call, whose frame would be popped

    static int note(String text) {
        notes.add(text);
        return 1;
    }

    static String thrownLine(Runnable r) {
        try {
            r.run();
            return "nothing";
        } catch (IllegalStateException e) {
            StackTraceElement top = e.getStackTrace()[0];
            return e.getMessage() + " " + top.getFileName() + " " + top.getLineNumber();
        }
    }

    static Method declared(Class<?> c, String name) {
        for (Method m : c.getDeclaredMethods())
            if (m.getName().equals(name))
                return m;
        throw new AssertionError(name);
    }

    static int constants(byte[] file) {
        return (file[8] & 255) << 8 | file[9] & 255;
    }

    /** Calls from frames that were there before, and what they still run. */
    static void activeFrames() {
        long recurse = method(declared(Target.class, "recurse"));
        long same = method(declared(Target.class, "same"));
        String before = describe(recurse);
        int old = Target.recurse(2, () -> {
            same("redefine-in-frame", 0, to("two", Target.class));
            long running = frameMethod(2);
            check("obsolete-has-own-id", running != recurse);
            check("obsolete", isObsolete(running));
            check("current-is-not-obsolete", !isObsolete(recurse));
            same("obsolete-describes-itself", before, describe(running));
            check("id-names-new-version", !describe(recurse).equals(before));
            String[] frames = frames(5).split(" ");
            same("frame-1", "recurse:135!", frames[2]);
            same("frame-2", "recurse:138!", frames[3]);
            same("frame-3", "recurse:138!", frames[4]);
            StackTraceElement caller = new Throwable().getStackTrace()[1];
            same("version-1-frame-line", "Redefine.java:135",
                 caller.getFileName() + ":" + caller.getLineNumber());
        });
        same("old-frames-run-on", 102, old);
        same("new-frames", 2100, Target.recurse(2, () -> { }));
        same("restore", 0, to("", Target.class));
        Target.same(() -> {
            same("redefine-in-same", 0, to("two", Target.class));
            check("equivalent-has-same-id", frameMethod(2) == same);
            check("equivalent-not-obsolete", !isObsolete(frameMethod(2)));
        });
        to("", Target.class);
        same("loop-goes-on", 3, Target.loop(3, () -> to("two", Target.class)));
        same("loop-again", 30, Target.loop(3, () -> { }));
        to("", Target.class);
        same("handler-goes-on", "one caught one",
             Target.caught(() -> to("two", Target.class)));
        same("handler-again", "two caught two", Target.caught(() -> { }));
        to("", Target.class);
        same("back-and-forth", 2100, Target.recurse(1, () -> {
            to("two", Target.class);
            same("middle", 1100, Target.recurse(1, () -> to("", Target.class)));
            to("two", Target.class);
        }) + 1999);
        to("", Target.class);
    }

    /** A class may be named more than once; its frames run on, and the last wins. */
    static void namedTwice() {
        Class<?>[] twice = { Target.class, Target.class };
        byte[][] files = { bytes("two", Target.class), bytes("two", Target.class) };
        files[0][7] = 60;
        same("named-twice-loop-goes-on", 3, Target.loop(3, () -> {
            same("named-twice", 0, redefine(twice, files));
            same("named-twice-new", 20, Target.loop(2, () -> { }));
            check("named-twice-obsolete", isObsolete(frameMethod(2)));
        }));
        same("named-twice-again", 30, Target.loop(3, () -> { }));
        same("named-twice-back", 30, Target.loop(3, () -> {
            byte[][] back = { files[0], bytes("", Target.class) };
            same("named-twice-last", 0, redefine(twice, back));
            same("named-twice-old", 2, Target.loop(2, () -> { }));
        }));
        same("named-twice-transformed", 3, Target.loop(3, () -> {
            same("retransformed-twice", 0, retransform(twice));
            same("retransformed", 2, Target.loop(2, () -> { }));
        }));
    }

    /** Everything that leads to a method leads to its new version. */
    static void callers() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle virtual = lookup.findVirtual(Target.class, "value",
                                                  MethodType.methodType(int.class));
        MethodHandle direct = lookup.findStatic(Target.class, "text",
                                                MethodType.methodType(String.class));
        Method reflected = declared(Target.class, "text");
        Supplier<String> lambda = Target.supplier("kept"), reference = Target::text;
        Target target = new Target();
        Below below = new Below();
        IntSupplier bound = target::value;
        target.field = 6;
        Target.counter++;
        for (int i = 0; i < 2; i++) {
            String when = i == 0 ? "-one" : "-two", word = i == 0 ? "one" : "two";
            int factor = i == 0 ? 1 : 2;
            same("virtual" + when, factor, target.value());
            same("equivalent" + when, 8, target.twice(4));
            same("static" + when, word, Target.text());
            same("private" + when, 10 * factor, target.callHidden());
            same("synchronized" + when, factor, target.locked());
            same("native" + when, 8, Target.bound(1));
            same("super" + when, 2 * factor, below.inherited());
            same("overridden" + when, 9, below.twice(4));
            same("handle-virtual" + when, factor, (int)virtual.invokeExact(target));
            same("handle-subclass" + when, factor, (int)virtual.invoke(below));
            same("handle-static" + when, word, (String)direct.invokeExact());
            same("reflection" + when, word, reflected.invoke(null));
            same("lambda" + when, "lambda " + word + " kept", lambda.get());
            same("new-lambda" + when, "lambda " + word + " new",
                 Target.supplier("new").get());
            same("reference" + when, word, reference.get());
            same("bound" + when, factor, bound.getAsInt());
            same("default" + when, "shape " + word + " private " + word,
                 new Square().name());
            same("interface-static" + when, "static " + word, Shape.of());
            same("field" + when, 6, target.field);
            same("static-field" + when, 42, Target.counter);
            same("initialised" + when, 1, initialised);
            if (i == 0)
                same("redefine-two", 0, to("two", Target.class, Shape.class));
        }
    }

    /** What PopFrame takes back is called again, in the new version. */
    static void popped() throws InterruptedException {
        int[] result = { 0 };
        Thread thread = new Thread(() -> result[0] = Target.popped());
        thread.start();
        while (!arrived)
            Thread.onSpinWait();
        same("redefine-popped", 0, to("two", Target.class));
        same("pop", 0, popFrame(thread));
        go = true;
        thread.join();
        same("popped-runs-new", 2, result[0]);
        to("", Target.class);
    }

    /** After callers(): version two is there. */
    static void attributes() {
        byte[] file = bytes("two", Target.class);
        same("annotation", "two",
             declared(Target.class, "value").getAnnotation(Mark.class).value());
        same("class-annotation", "two", Target.class.getAnnotation(Mark.class).value());
        same("exceptions", "java.util.concurrent.TimeoutException",
             declared(Target.class, "list").getExceptionTypes()[0].getName());
        same("generic", "java.util.List<java.lang.Integer>",
             declared(Target.class, "list").getGenericReturnType().toString());
        same("line", "two Target.java 17", thrownLine(Target::fail));
        String[] info = classInfo(Target.class).split(" ");
        same("source-file", "Target.java", info[0]);
        same("version", (44 + Runtime.version().feature()) + ".0", info[2]);
        check("constant-pool", Integer.parseInt(info[3]) >= constants(file));
        same("method-order", "<init> fail value twice text hidden callHidden locked "
             + "bound supplier recurse same loop caught popped marked list lambda$supplier$0 "
             + "<clinit> ", methods(Target.class));
        String twice = describe(method(declared(Target.class, "twice")));
        check("locals", twice.endsWith(" this renamed"));
        file[7] = 60;
        same("older-version", 0, redefine(new Class<?>[] { Target.class },
                                          new byte[][] { file }));
        check("version-60", classInfo(Target.class).contains(" 60.0 "));
        same("restored", 0, to("", Target.class, Shape.class));
        same("annotation-again", "one",
             declared(Target.class, "value").getAnnotation(Mark.class).value());
        same("line-again", "one Redefine.java 184", thrownLine(Target::fail));
    }

    /** Members that reflection gave out before are looked at after. */
    static void kept() throws Exception {
        Method[] old = { declared(Target.class, "marked"), declared(Target.class, "value") };
        to("two", Target.class);
        Method[] fresh = { declared(Target.class, "marked") };
        to("", Target.class);
        to("two", Target.class);
        same("old-annotations", "[@Mark(\"one\"), @Many(value={@Mark(\"a\"), "
             + "@Mark(\"b\")}, level=SOURCE, type=java.lang.String.class, numbers={1, 2})]",
             Arrays.toString(old[0].getAnnotations()));
        same("old-parameter-annotations", "[[], [@Mark(\"parameter one\")]]",
             Arrays.deepToString(old[0].getParameterAnnotations()));
        same("old-type-annotations-now", "[@Typed(\"result two\")]",
             Arrays.toString(old[0].getAnnotatedReturnType().getAnnotations()));
        same("old-mark", "one", old[1].getAnnotation(Mark.class).value());
        same("fresh-annotations", "[@Mark(\"two\")]",
             Arrays.toString(fresh[0].getAnnotations()));
        same("fresh-parameter-annotations", "[[@Mark(\"parameter two\")], []]",
             Arrays.deepToString(fresh[0].getParameterAnnotations()));
        same("fresh-type-annotations", "[@Typed(\"result two\")]",
             Arrays.toString(fresh[0].getAnnotatedReturnType().getAnnotations()));
        to("", Target.class);
    }

    /** Reflection of a subclass shows what it inherits. */
    static void inherited() throws Exception {
        same("subclass-before", "one",
             Open.class.getMethod("open").getAnnotation(Mark.class).value());
        same("redefine-open", 0, to("two", Opened.class));
        same("subclass-after", "two",
             Open.class.getMethod("open").getAnnotation(Mark.class).value());
        same("restore-open", 0, to("", Opened.class));
    }

    /** A class that is loaded only. */
    static void notInitialised() throws Exception {
        Class<?> lazy = Class.forName("Lazy", false, Redefine.class.getClassLoader());
        same("lazy", 0, to("two", lazy));
        same("lazy-not-run", 0, notes.size());
        lazy.getDeclaredConstructor().newInstance();
        same("lazy-run", "[lazy two]", notes.toString());
    }

    /** A frame of an equivalent version stops at the method's breakpoints. */
    static void turn(int i) {
        if (i == 0) {
            var bytewise = java.nio.charset.StandardCharsets.ISO_8859_1;
            String file = new String(bytes("", Looped.class), bytewise);
            byte[] changed = file.replace("looped one", "looped two").getBytes(bytewise);
            same("redefine-looped", 0, redefine(new Class<?>[] { Looped.class },
                                                new byte[][] { changed }));
            same("equivalent-set", 0, breakpoint(Looped.class, "loop", 7, true));
            return;
        }
        same("equivalent-hit-" + i, 1, hits());
        if (i == 1)
            same("equivalent-clear", 0, breakpoint(Looped.class, "loop", 7, false));
    }

    static String pairs() {
        return Pair.left() + " " + Pear.right();
    }

    static void several() {
        Class<?>[] both = { Pair.class, Pear.class };
        byte[] good = bytes("two", Pair.class), bad = bytes("two", Pear.class);
        bad[bad.length - 30] ^= 0x55;
        same("first-bad", 60, redefine(both, new byte[][] { { 1, 2, 3 }, good }));
        same("nothing-changed-1", "left one right one", pairs());
        same("second-bad", 69, redefine(both, new byte[][] { good, good }));
        same("nothing-changed-2", "left one right one", pairs());
        same("array-in-list", 79, to("two", Pair.class) == 0
             ? redefine(new Class<?>[] { Pair.class, int[].class },
                        new byte[][] { bytes("", Pair.class), good }) : -1);
        same("nothing-changed-3", "left two right one", pairs());
        same("both", 0, to("two", both));
        same("both-changed", "left two right two", pairs());
        same("twice-in-list", 0,
             redefine(new Class<?>[] { Pair.class, Pair.class },
                      new byte[][] { good, bytes("", Pair.class) }));
        same("last-wins", "left one right two", pairs());
        same("there-and-back", 0,
             redefine(new Class<?>[] { Pair.class, Pair.class },
                      new byte[][] { good, bytes("", Pair.class) }));
        same("last-wins-again", "left one right two", pairs());
        same("none", 0, redefine(new Class<?>[0], new byte[0][]));
        good[7] = 49;
        same("inference", 0,
             redefine(new Class<?>[] { Pair.class }, new byte[][] { good }));
        same("inferred", "left two right two", pairs());
    }

    /** A body in C must not hide a new version. */
    static void intrinsic() throws Exception {
        byte[] original, changed;
        try (InputStream in = Object.class.getResourceAsStream("Integer.class")) {
            original = in.readAllBytes();
        }
        changed = original.clone();
        byte[] end = { 0x10, 0x3f, 0x7e, (byte)0xac };
        for (int i = 0; i + 4 < changed.length; i++)
            if (changed[i] == end[0] && changed[i + 1] == end[1]
                && changed[i + 2] == end[2] && changed[i + 3] == end[3])
                changed[i + 1] = 0x0f;
        Class<?>[] integer = { Integer.class };
        same("intrinsic-before", 16, Integer.bitCount(0xffff));
        same("redefine-integer", 0, redefine(integer, new byte[][] { changed }));
        same("intrinsic-gives-way", 0, Integer.bitCount(0xffff));
        same("restore-integer", 0, redefine(integer, new byte[][] { original }));
        same("intrinsic-after", 16, Integer.bitCount(0xffff));
    }

    /** Threads that call on while versions come and go. */
    static void concurrent() throws InterruptedException {
        boolean[] stop = { false };
        int[] wrong = { 0 };
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                Target t = new Below();
                while (!stop[0]) {
                    int value = t.value(), sum = Target.recurse(3, () -> { });
                    synchronized (wrong) {
                        if (value != 1 && value != 2 || sum < 103 || sum > 3100)
                            wrong[0]++;
                    }
                }
            });
            threads[i].start();
        }
        int refused = 0;
        for (int i = 0; i < 60; i++)
            refused += to(i % 2 == 0 ? "two" : "", Target.class);
        stop[0] = true;
        for (Thread t : threads)
            t.join();
        same("concurrent-refused", 0, refused);
        same("concurrent-wrong", 0, wrong[0]);
    }

    public static void main(String[] args) throws Throwable {
        activeFrames();
        namedTwice();
        popped();
        callers();
        attributes();
        kept();
        inherited();
        notInitialised();
        several();
        Looped.loop();
        same("looped", "looped two", Looped.name());
        intrinsic();
        concurrent();
        RedefineErrors.run();
        Retransform.run();
    }
}
