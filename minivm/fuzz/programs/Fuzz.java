// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes programs, compiles them, has a Runner under the JDK's VM and one under minivm run
 * each, and compares what they return.
 *
 * Arguments: seconds, cases at most, seed, stride, once or many, the work folder, the
 * folder for failures, what repeats a seed, the JDK's java, minivm and its options.
 */
public class Fuzz {
    /** A program that took so many seconds of processor time is in an endless loop. */
    static final int BUSY_SECONDS = 120;
    /** A VM that did nothing in so many seconds waits for what does not come. */
    static final int IDLE_SECONDS = 60;

    /** A VM with a Runner, started when it is first asked, and again after it failed. */
    static class Vm {
        final List<String> command;
        final File errors;
        Process process;
        ProcessHandle handle;
        BufferedReader out;
        PrintStream in;

        Vm(List<String> command, File errors) {
            this.command = command;
            this.errors = errors;
        }

        String run(String folder) throws Exception {
            if (process == null) {
                process = new ProcessBuilder(command).redirectError(errors).start();
                handle = process.toHandle();
                out = new BufferedReader(new InputStreamReader(process.getInputStream(),
                                                               StandardCharsets.UTF_8));
                in = new PrintStream(process.getOutputStream());
            }
            in.println(folder);
            in.flush();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(this::read);
            long begin = processorMillis(), last = begin, lastChange = System.nanoTime();

            while (true) {
                try {
                    return answer.get(1, TimeUnit.SECONDS);
                } catch (TimeoutException e) {
                    long now = processorMillis(), idle = System.nanoTime() - lastChange;

                    if (now > last + 50) {
                        last = now;
                        lastChange = System.nanoTime();
                    } else if (idle > IDLE_SECONDS * 1_000_000_000L) {
                        return hang();
                    }
                    if (now - begin > BUSY_SECONDS * 1000L)
                        return hang();
                }
            }
        }

        /** The machine may be busy with something else, so this tells more than a clock. */
        private long processorMillis() {
            return handle.info().totalCpuDuration().map(d -> d.toMillis()).orElse(0L);
        }

        private String hang() throws Exception {
            /* A thread dump goes to the standard error that is kept. */
            new ProcessBuilder("kill", "-QUIT", "" + handle.pid()).start().waitFor();
            Thread.sleep(2000);
            end();
            return "hangs\n" + Files.readString(errors.toPath());
        }

        private String read() {
            StringBuilder text = new StringBuilder();
            String line;

            try {
                while ((line = out.readLine()) != null) {
                    if (line.equals("."))
                        return text.toString();
                    text.append(line.length() > 0 ? line.substring(1) : line).append('\n');
                }
                int status = process.waitFor();

                process = null;
                return text + "ended with status " + status + "\n"
                    + Files.readString(errors.toPath());
            } catch (IOException | InterruptedException e) {
                return text + "no answer: " + e;
            }
        }

        void end() throws Exception {
            if (process != null)
                process.destroyForcibly().waitFor();
            process = null;
        }
    }

    static class Source extends SimpleJavaFileObject {
        final String text;

        Source(String text) {
            super(URI.create("string:///P.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignore) {
            return text;
        }
    }

    static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** What javac complains about; empty when the program was compiled. */
    static String compile(StandardJavaFileManager files, long seed, String text, Path folder) {
        StringWriter said = new StringWriter();
        List<String> options = new ArrayList<>(Program.options(seed));
        List<JavaFileObject> sources = List.of(new Source(text));

        options.addAll(List.of("-d", folder.toString()));
        return COMPILER.getTask(said, files, null, options, null, sources).call() ? ""
            : "javac: " + said;
    }

    static void delete(Path folder) throws IOException {
        File[] files = folder.toFile().listFiles();

        for (File file : files == null ? new File[0] : files)
            file.delete();
        Files.deleteIfExists(folder);
    }

    /** The first line that differs, with both texts' versions of it. */
    static String difference(String expected, String actual) {
        String[] a = expected.split("\n", -1), b = actual.split("\n", -1);
        int i = 0;

        while (i < a.length && i < b.length && a[i].equals(b[i]))
            i++;
        return "line " + (i + 1) + "\n expected: " + (i < a.length ? a[i] : "(the end)")
            + "\n actual:   " + (i < b.length ? b[i] : "(the end)");
    }

    public static void main(String[] args) throws Exception {
        long seconds = Long.parseLong(args[0]), cases = Long.parseLong(args[1]);
        long seed = Long.parseLong(args[2]), stride = Long.parseLong(args[3]);
        long end = System.nanoTime() + seconds * 1_000_000_000;
        boolean once = args[4].equals("once");
        Path work = Path.of(args[5]), failures = Path.of(args[6]);
        String repeat = args[7];
        String[] runner = { "-cp", System.getProperty("java.class.path"), "Runner" };
        List<String> hotspot = new ArrayList<>(List.of(args[8], "-Xshare:auto",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        List<String> minivm = new ArrayList<>(List.of(args).subList(9, args.length));
        int failed = 0;
        long count = 0;

        hotspot.addAll(List.of(runner));
        minivm.addAll(List.of(runner));
        Vm judge = new Vm(hotspot, work.resolve("hotspot.err").toFile());
        Vm subject = new Vm(minivm, work.resolve("minivm.err").toFile());
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            do {
                Path folder = Files.createDirectories(work.resolve("P" + seed));
                String text = Program.source(seed), complaint = compile(files, seed, text, folder);
                String expected = complaint, actual = "";

                if (complaint.isEmpty()) {
                    expected = judge.run(folder.toString());
                    actual = subject.run(folder.toString());
                }
                count++;
                if (!expected.equals(actual)) {
                    failed++;
                    Files.createDirectories(failures);
                    Files.writeString(failures.resolve("P" + seed + ".java"), text);
                    Files.writeString(failures.resolve("P" + seed + ".expected"), expected);
                    Files.writeString(failures.resolve("P" + seed + ".actual"), actual);
                    System.out.println("not ok " + failed + " - program " + seed + " differs");
                    System.out.println("# " + difference(expected, actual).replace("\n", "\n# "));
                    System.out.println("# repeat: " + repeat + " --seed " + seed + " --once");
                } else if (once) {
                    System.out.println("# " + expected.replace("\n", "\n# "));
                }
                delete(folder);
                seed += stride;
            } while (!once && count < cases && System.nanoTime() < end && failed < 20);
        } finally {
            judge.end();
            subject.end();
        }
        if (failed == 0)
            System.out.println("ok 1 - " + count + " programs print what they print on the JDK's VM");
        System.out.println("# " + count + " programs, up to seed " + (seed - stride));
        System.out.println("1.." + Math.max(failed, 1));
        System.exit(failed == 0 ? 0 : 1);
    }
}
