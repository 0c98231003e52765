// SPDX-License-Identifier: MIT
import java.io.*;
import java.nio.file.*;
import java.util.List;
import java.util.regex.*;

/**
 * Runs jdb with a script of lines "command => pattern": sends the command, and goes on
 * when the output has the pattern, if there is one, and a prompt behind it.  Writes
 * what jdb said without empty lines and without prompts, which come anywhere, since
 * two of its threads write.  {@code @mark} is the number of Target's line with that
 * mark, {@code ?name} that of a listed thread.
 */
public class Drive {
    static final StringBuffer output = new StringBuffer(), all = new StringBuffer();
    static volatile boolean ended;

    static void read(InputStream in) {
        try (Reader reader = new InputStreamReader(in)) {
            char[] buffer = new char[4096];
            for (int n; (n = reader.read(buffer)) > 0;)
                synchronized (output) {
                    output.append(buffer, 0, n);
                    output.notifyAll();
                }
        } catch (IOException e) {
            // jdb is gone
        }
        synchronized (output) {
            ended = true;
            output.notifyAll();
        }
    }

    /** False when the time is over. */
    static boolean await(Pattern pattern) throws InterruptedException {
        long deadline = System.nanoTime() + 120_000_000_000L;
        synchronized (output) {
            while (!pattern.matcher(output).find() && !ended) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0)
                    return false;
                output.wait(left);
            }
        }
        return true;
    }

    static void say() {
        synchronized (output) {
            for (String line : output.toString().split("\n")) {
                line = line.replaceAll("(^|(?<=[ :]))([a-zA-Z-]+\\[[0-9]+\\]|>) ", "")
                    .stripTrailing();
                if (!line.isEmpty())
                    System.out.println(line);
            }
            all.append(output);
            output.setLength(0);
        }
    }

    /** Numbers for names. */
    static String resolve(String command, List<String> source) {
        Matcher thread = Pattern.compile("\\?([a-z]+)").matcher(command);
        if (thread.find()) {
            Matcher row =
                Pattern.compile("\\)([0-9]+) +" + thread.group(1)).matcher(all);
            row.find();
            command = thread.replaceFirst(row.group(1));
        }
        return Pattern.compile("@([a-z]+)").matcher(command).replaceAll(found -> {
            for (int i = 0; i < source.size(); i++)
                if (source.get(i).endsWith("// mark: " + found.group(1)))
                    return "" + (i + 1);
            throw new IllegalArgumentException(found.group());
        });
    }

    /** jdb, port, directory of the sources, script. */
    public static void main(String[] args) throws Exception {
        List<String> source = Files.readAllLines(Path.of(args[2], "Target.java"));
        Process jdb = new ProcessBuilder(args[0], "-sourcepath", args[2], "-attach",
                                         "127.0.0.1:" + args[1])
            .redirectErrorStream(true).start();
        Thread reader = new Thread(() -> read(jdb.getInputStream()));
        reader.setDaemon(true);
        reader.start();
        Writer in = jdb.outputWriter();
        String prompt = "[\\s\\S]*(\\[[0-9]+\\]|>) $";
        await(Pattern.compile("VM Started[\\s\\S]*No frames on the current" + prompt));
        output.setLength(0);
        for (String line : Files.readAllLines(Path.of(args[3]))) {
            if (line.startsWith("#") || line.isBlank())
                continue;
            say();
            String[] parts = resolve(line, source).split(" +=> ");
            System.out.println("* " + line.split(" +=> ")[0]);
            in.write(parts[0] + "\n");
            in.flush();
            String pattern = parts.length > 1 ? parts[1] : "";
            if (!await(Pattern.compile(pattern + prompt))) {
                say();
                System.out.println("no '" + pattern + "' came");
                jdb.destroyForcibly();
                System.exit(1);
            }
        }
        in.close();
        jdb.waitFor();
        reader.join(5000);
        say();
    }
}
