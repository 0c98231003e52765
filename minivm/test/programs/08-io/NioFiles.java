/* SPDX-License-Identifier: MIT */
/* java.nio.file.Files: trees, attributes, links, copies, walks, watches. */
import java.io.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.stream.*;

public class NioFiles {
    public static void main(String[] args) throws Exception {
        Path dir = Files.createDirectories(Path.of("a/b/c"));
        Path f = Files.writeString(dir.resolve("f.txt"), "one\ntwo\nthree\n");
        System.out.println(Files.readString(f).length() + " " + Files.readAllLines(f) + " "
            + Files.size(f) + " " + Files.exists(f) + " " + Files.isDirectory(dir));
        Files.write(f, List.of("four"), StandardOpenOption.APPEND);
        try (Stream<String> s = Files.lines(f)) {
            System.out.println(s.collect(Collectors.joining("|")));
        }
        Path copy = Files.copy(f, Path.of("a/copy.txt"), StandardCopyOption.COPY_ATTRIBUTES);
        try {
            Files.copy(f, copy);
        } catch (FileAlreadyExistsException e) {
            System.out.println("exists " + e.getMessage());
        }
        Path moved = Files.move(copy, Path.of("a/b/moved.txt"), StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(Path.of("a/link"), Path.of("b/moved.txt"));
        Files.createLink(Path.of("a/hard"), moved);
        System.out.println(Files.readSymbolicLink(Path.of("a/link")) + " "
            + Files.isSymbolicLink(Path.of("a/link")) + " " + Files.isSameFile(Path.of("a/link"), moved)
            + " " + Files.mismatch(f, moved));
        try (Stream<Path> w = Files.walk(Path.of("a"))) {
            System.out.println(w.map(Path::toString).sorted().toList());
        }
        try (DirectoryStream<Path> d = Files.newDirectoryStream(Path.of("a"), "{l,h}*")) {
            List<String> names = new ArrayList<>();
            d.forEach(p -> names.add(p.getFileName().toString()));
            Collections.sort(names);
            System.out.println(names);
        }
        Files.setPosixFilePermissions(f, PosixFilePermissions.fromString("rw-r-----"));
        Files.setLastModifiedTime(f, FileTime.fromMillis(1_234_567_890_000L));
        PosixFileAttributes at = Files.readAttributes(f, PosixFileAttributes.class);
        System.out.println(PosixFilePermissions.toString(at.permissions()) + " "
            + at.lastModifiedTime() + " " + at.isRegularFile() + " "
            + Files.getAttribute(f, "size") + " " + (at.fileKey() != null));
        try {
            Files.delete(dir);
        } catch (DirectoryNotEmptyException e) {
            System.out.println("not empty " + e.getMessage());
        }
        try {
            Files.readString(Path.of("none"));
        } catch (NoSuchFileException e) {
            System.out.println("none: " + e.getMessage());
        }
        try {
            Files.newByteChannel(Path.of("a"), StandardOpenOption.WRITE);
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Path p = Path.of("/x/y/../z/./w.txt");
        System.out.println(p.normalize() + " " + p.getNameCount() + " " + p.subpath(1, 3) + " "
            + p.getRoot() + " " + Path.of("/x").relativize(p.normalize()) + " "
            + p.startsWith("/x") + " " + p.resolveSibling("q") + " " + p.endsWith("w.txt"));
        System.out.println(FileSystems.getDefault().getPathMatcher("glob:**/*.{txt,md}").matches(p)
            + " " + FileSystems.getDefault().getPathMatcher("regex:.*w.*").matches(p) + " "
            + FileSystems.getDefault().getSeparator());
        WatchService watch = FileSystems.getDefault().newWatchService();
        dir.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        Files.createFile(dir.resolve("new"));
        WatchKey key = watch.poll(20, TimeUnit.SECONDS);
        System.out.println(key.pollEvents().get(0).context());
        watch.close();
        int[] count = new int[2];
        Files.walkFileTree(Path.of("a"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path q, BasicFileAttributes a) throws IOException {
                Files.delete(q);
                count[0]++;
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path q, IOException e) throws IOException {
                Files.delete(q);
                count[1]++;
                return FileVisitResult.CONTINUE;
            }
        });
        System.out.println(count[0] + " " + count[1] + " " + Files.notExists(Path.of("a")));
        Path temp = Files.createTempDirectory("t");
        System.out.println(Files.deleteIfExists(temp) + " " + Files.deleteIfExists(temp));
        try (BufferedWriter w = Files.newBufferedWriter(Path.of("w"))) {
            w.write("buffered");
        }
        System.out.println(Files.newBufferedReader(Path.of("w")).readLine() + " "
            + Files.probeContentType(Path.of("x.html")));
        UserPrincipal owner = Files.getOwner(Path.of("w"));
        System.out.println(owner.equals(Files.getOwner(Path.of("."))));
    }
}
