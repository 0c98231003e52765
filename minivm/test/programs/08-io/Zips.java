/* SPDX-License-Identifier: MIT */
/* Deflater, Inflater, gzip, zip and jar files, zip file systems. */
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

public class Zips {
    public static void main(String[] args) throws Exception {
        byte[] data = new byte[50000];
        Random r = new Random(4);
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) ("abc".charAt(r.nextInt(3)) + (i % 100 == 0 ? r.nextInt(20) : 0));
        }
        for (int level : new int[] { 0, 1, 6, 9 }) {
            Deflater d = new Deflater(level, level == 6);
            d.setInput(data);
            d.finish();
            byte[] out = new byte[60000];
            int n = d.deflate(out);
            Inflater i = new Inflater(level == 6);
            i.setInput(out, 0, n);
            byte[] back = new byte[60000];
            System.out.println((n < 51000) + " " + i.inflate(back) + " " + i.finished() + " "
                + Arrays.equals(data, Arrays.copyOf(back, data.length)) + " " + d.getTotalIn());
            d.end();
            i.end();
        }
        Inflater bad = new Inflater();
        bad.setInput(new byte[] { 1, 2, 3, 4 });
        try {
            bad.inflate(new byte[10]);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(gz)) {
            g.write(data);
        }
        byte[] z = gz.toByteArray();
        System.out.println(Arrays.equals(data, new GZIPInputStream(new ByteArrayInputStream(z))
            .readAllBytes()));
        z[z.length - 6] ^= 1;
        try {
            new GZIPInputStream(new ByteArrayInputStream(z)).readAllBytes();
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream("t.zip"))) {
            out.setComment("zip comment");
            for (String name : new String[] { "a.txt", "dir/", "dir/b\u00e9.bin" }) {
                ZipEntry e = new ZipEntry(name);
                e.setTime(1_000_000_000_000L);
                if (name.startsWith("a")) {
                    e.setMethod(ZipEntry.STORED);
                    e.setSize(5);
                    CRC32 crc = new CRC32();
                    crc.update("hello".getBytes());
                    e.setCrc(crc.getValue());
                }
                out.putNextEntry(e);
                if (!name.endsWith("/")) {
                    out.write(name.startsWith("a") ? "hello".getBytes() : data);
                }
                out.closeEntry();
            }
            try {
                out.putNextEntry(new ZipEntry("a.txt"));
            } catch (ZipException e) {
                System.out.println(e.getMessage());
            }
        }
        try (ZipFile f = new ZipFile("t.zip")) {
            System.out.println(f.size() + " " + f.getComment());
            for (var e : Collections.list(f.entries())) {
                System.out.println(e.getName() + " " + e.getSize() + " " + e.isDirectory() + " "
                    + Long.toHexString(e.getCrc()) + " " + e.getTime() + " "
                    + f.getInputStream(e).readAllBytes().length);
            }
            System.out.println(f.getEntry("none"));
        }
        try (ZipInputStream in = new ZipInputStream(new FileInputStream("t.zip"))) {
            for (ZipEntry e; (e = in.getNextEntry()) != null;) {
                System.out.print(e + ":" + in.readAllBytes().length + " ");
            }
            System.out.println();
        }
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "x".repeat(100));
        m.getEntries().put("a/B.class", new Attributes());
        try (JarOutputStream out = new JarOutputStream(new FileOutputStream("t.jar"), m)) {
            out.putNextEntry(new JarEntry("a/B.class"));
            out.write(1);
        }
        try (JarFile j = new JarFile("t.jar")) {
            System.out.println(j.getManifest().getMainAttributes().getValue("Main-Class").length()
                + " " + j.stream().map(JarEntry::getName).toList() + " " + j.isMultiRelease());
        }
        try (FileSystem fs = FileSystems.newFileSystem(URI.create("jar:" + Path.of("fs.zip").toUri()),
                Map.of("create", "true"))) {
            Files.createDirectories(fs.getPath("/x/y"));
            Files.writeString(fs.getPath("/x/y/z.txt"), "in zip");
            Files.copy(Path.of("t.zip"), fs.getPath("/x/t.zip"));
        }
        try (FileSystem fs = FileSystems.newFileSystem(Path.of("fs.zip"))) {
            try (var s = Files.walk(fs.getPath("/"))) {
                System.out.println(s.map(Path::toString).sorted().toList() + " "
                    + Files.readString(fs.getPath("x/y/z.txt")));
            }
        }
        Files.write(Path.of("bad.zip"), new byte[100]);
        try {
            new ZipFile("bad.zip");
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        CheckedInputStream c = new CheckedInputStream(new ByteArrayInputStream(data), new Adler32());
        c.readAllBytes();
        System.out.println(c.getChecksum().getValue());
    }
}
