// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

/** Files, processes, piped streams and archives that virtual threads work on at once. */
public class VirtualPipes {
    static String shell(String command, String input) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command).start();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(() -> {
                try (Writer out = process.outputWriter()) {
                    out.write(input);
                }
                return null;
            });
            Future<String> out = executor.submit(() ->
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            Future<String> error = executor.submit(() ->
                new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
            Future<Integer> status = executor.submit(() -> process.waitFor());
            return status.get() + " " + out.get().strip() + " " + error.get().strip();
        }
    }

    /** A chain of threads, each of which passes the numbers on that its own does not divide. */
    static List<Integer> sieve(int limit) throws Exception {
        List<Integer> primes = new ArrayList<>();
        PipedOutputStream head = new PipedOutputStream();
        DataInputStream in = new DataInputStream(new PipedInputStream(head, 64));
        Thread.startVirtualThread(() -> {
            try (DataOutputStream out = new DataOutputStream(head)) {
                for (int i = 2; i < limit; i++)
                    out.writeInt(i);
                out.writeInt(0);
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        for (int prime; (prime = in.readInt()) != 0;) {
            PipedOutputStream end = new PipedOutputStream();
            DataInputStream from = in;
            int divisor = prime;
            primes.add(prime);
            in = new DataInputStream(new PipedInputStream(end, 64));
            Thread.startVirtualThread(() -> {
                try (DataOutputStream out = new DataOutputStream(end)) {
                    int n;
                    do {
                        n = from.readInt();
                        if (n == 0 || n % divisor != 0)
                            out.writeInt(n);
                    } while (n != 0);
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
        }
        return primes;
    }

    static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    static String archive(Path dir, int n) throws IOException {
        Path file = dir.resolve("a" + n + ".zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 5; i++) {
                zip.putNextEntry(new ZipEntry("e" + i));
                for (int k = 0; k < 200; k++)
                    zip.write(("line " + n * k * i + "\n").getBytes(StandardCharsets.US_ASCII));
                zip.closeEntry();
                Thread.yield();
            }
        }
        long sum = 0;
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (var e = zip.entries(); e.hasMoreElements();) {
                ZipEntry entry = e.nextElement();
                byte[] bytes = zip.getInputStream(entry).readAllBytes();
                if (crc(bytes) != entry.getCrc())
                    throw new IOException("bad sum");
                sum = sum * 31 + entry.getCrc();
            }
        }
        Files.delete(file);
        return n + ":" + Long.toHexString(sum);
    }

    public static void main(String[] args) throws Exception {
        List<Future<String>> results = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                int n = i;
                results.add(executor.submit(() -> shell("tr a-z A-Z; echo e" + n + " >&2; exit " + n,
                                                        "text " + n)));
            }
            for (Future<String> result : results)
                System.out.println(result.get());
            System.out.println(executor.submit(() -> sieve(120)).get());
            Path dir = Files.createTempDirectory(Path.of("."), "v");
            results.clear();
            for (int i = 0; i < 6; i++) {
                int n = i;
                results.add(executor.submit(() -> archive(dir, n)));
            }
            for (Future<String> result : results)
                System.out.println(result.get());
            for (int i = 0; i < 10; i++) {
                int n = i;
                executor.submit(() -> {
                    Path file = dir.resolve("f" + n);
                    Files.writeString(file, "x".repeat(n * 1000));
                    Files.move(file, dir.resolve("g" + n), StandardCopyOption.ATOMIC_MOVE);
                    return null;
                }).get();
            }
            try (var list = Files.walk(dir)) {
                System.out.println(list.filter(Files::isRegularFile).mapToLong(p -> p.toFile().length()).sum());
            }
            Future<String> missing = executor.submit(() -> Files.readString(dir.resolve("none")));
            try {
                missing.get();
            } catch (ExecutionException e) {
                System.out.println(e.getCause().getClass().getSimpleName());
            }
            PipedInputStream broken = new PipedInputStream();
            PipedOutputStream writer = new PipedOutputStream(broken);
            Thread dies = Thread.startVirtualThread(() -> {
                try {
                    writer.write(1);
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            dies.join();
            System.out.println(broken.read());
            try {
                broken.read();
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
