// SPDX-License-Identifier: MIT
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with a Judge in it. A VM that dies or hangs gives an answer, too, and another
 * is started for the files that are left.
 */
final class Vm implements AutoCloseable {
    /** What a VM says: OK, or where it was refused and by what; the message; the facts. */
    record Answer(String kind, String message, String facts) {
        boolean broken() {
            return kind.startsWith("crash") || kind.equals("hang");
        }
    }

    /** A class file and what it needs to be judged. */
    record Question(long seed, int world, int flags, byte[] bytes) { }

    private static final int RENEW_AFTER = 40000;

    final String name;
    private final List<String> command;
    private final File directory;
    private final int secondsToHang;
    private Process process;
    private DataOutputStream out;
    private DataInputStream in;
    private int asked;
    private volatile long lastAnswer;
    private volatile boolean waiting;
    private volatile boolean killed;
    private final Thread watchdog;

    Vm(String name, List<String> command, File directory, int secondsToHang) {
        this.name = name;
        this.command = command;
        this.directory = directory;
        this.secondsToHang = secondsToHang;
        directory.mkdirs();
        watchdog = new Thread(this::watch, name + " watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private void watch() {
        try {
            for (;;) {
                Thread.sleep(500);
                if (waiting && System.nanoTime() - lastAnswer > secondsToHang * 1_000_000_000L) {
                    killed = true;
                    process.destroyForcibly();
                    waiting = false;
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    File errors() {
        return new File(directory, name + ".err");
    }

    private void start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory);
        builder.redirectError(ProcessBuilder.Redirect.to(errors()));
        process = builder.start();
        out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
        in = new DataInputStream(process.getInputStream());
        asked = 0;
        killed = false;
    }

    private void stop() {
        if (process == null)
            return;
        try {
            out.writeInt(-2);
            out.close();
            if (!process.waitFor(20, TimeUnit.SECONDS))
                process.destroyForcibly();
        } catch (IOException | InterruptedException e) {
            process.destroyForcibly();
        }
        process = null;
    }

    /** Written beside the reader, since pipes are small. */
    private Thread write(List<Question> questions, int from) {
        DataOutputStream to = out;
        Thread writer = new Thread(() -> {
            try {
                for (Question q : questions.subList(from, questions.size())) {
                    to.writeInt(q.world());
                    to.writeInt(q.flags());
                    to.writeInt(q.bytes().length);
                    to.write(q.bytes());
                }
                to.flush();
            } catch (IOException e) {
                // The reader will notice.
            }
        }, name + " writer");
        writer.start();
        return writer;
    }

    private Answer dead() throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS))
            process.destroyForcibly();
        int code = process.waitFor();
        boolean hung = killed;
        process = null;
        String text = errors().exists()
            ? new String(java.nio.file.Files.readAllBytes(errors().toPath()),
                         StandardCharsets.ISO_8859_1) : "";
        return new Answer(hung ? "hang" : "crash " + code,
                          text.substring(0, Math.min(text.length(), 6000)), "");
    }

    private Answer read() throws IOException {
        int length = in.readInt();
        // HotSpot's last words go to the standard output.
        if (length < 0 || length > 1 << 24)
            throw new IOException(name + " answers with " + length + " bytes");
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", 3);
        return new Answer(lines[0], lines[1], lines[2]);
    }

    synchronized List<Answer> ask(List<Question> questions)
        throws IOException, InterruptedException {
        List<Answer> answers = new ArrayList<>();
        while (answers.size() < questions.size()) {
            if (process != null && asked > RENEW_AFTER)
                stop();
            if (process == null)
                start();
            Thread writer = write(questions, answers.size());
            try {
                lastAnswer = System.nanoTime();
                waiting = true;
                while (answers.size() < questions.size()) {
                    answers.add(read());
                    asked++;
                    lastAnswer = System.nanoTime();
                }
                waiting = false;
            } catch (IOException e) {
                waiting = false;
                answers.add(dead());
            }
            writer.join();
        }
        return answers;
    }

    @Override
    public void close() {
        stop();
        watchdog.interrupt();
    }
}
