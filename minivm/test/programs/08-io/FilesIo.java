/* SPDX-License-Identifier: MIT */
/* java.io: streams, readers, writers, RandomAccessFile, File. */
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class FilesIo {
    public static void main(String[] args) throws Exception {
        File f = new File("data.bin");
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
                new FileOutputStream(f)))) {
            out.writeInt(42);
            out.writeLong(-1L);
            out.writeDouble(2.5);
            out.writeUTF("caf\u00e9 \0 \u4e2d");
            out.writeBoolean(true);
            out.writeChars("ab");
            System.out.println(out.size());
        }
        try (DataInputStream in = new DataInputStream(new FileInputStream(f))) {
            System.out.println(in.readInt() + " " + in.readLong() + " " + in.readDouble() + " "
                + in.readUTF().length() + " " + in.readBoolean() + in.readChar() + in.readChar());
            in.readByte();
        } catch (EOFException e) {
            System.out.println("eof");
        }
        System.out.println(f.length() + " " + f.isFile() + " " + f.canRead() + " "
            + f.delete() + " " + f.exists());
        try (RandomAccessFile r = new RandomAccessFile("random", "rw")) {
            r.setLength(100);
            r.seek(50);
            r.writeBytes("middle");
            r.seek(98);
            r.write(new byte[10]);
            System.out.println(r.length() + " " + r.getFilePointer());
            r.seek(50);
            byte[] b = new byte[6];
            r.readFully(b);
            System.out.println(new String(b));
        }
        try (PrintWriter w = new PrintWriter("text", StandardCharsets.UTF_8)) {
            for (int i = 0; i < 1000; i++) {
                w.printf("line %d \u20ac%n", i);
            }
        }
        int lines = 0;
        long hash = 0;
        try (BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream("text"),
                StandardCharsets.UTF_8))) {
            for (String s; (s = r.readLine()) != null; lines++) {
                hash = hash * 31 + s.hashCode();
            }
        }
        System.out.println(lines + " " + hash + " " + new File("text").length());
        LineNumberReader ln = new LineNumberReader(new StringReader("a\r\nb\nc"));
        ln.readLine();
        ln.readLine();
        System.out.println(ln.getLineNumber());
        PushbackInputStream pb = new PushbackInputStream(new ByteArrayInputStream(new byte[] { 1, 2 }));
        int first = pb.read();
        pb.unread(9);
        System.out.println(first + " " + pb.read() + " " + pb.read() + " " + pb.read());
        SequenceInputStream seq = new SequenceInputStream(new ByteArrayInputStream("ab".getBytes()),
            new ByteArrayInputStream("cd".getBytes()));
        System.out.println(new String(seq.readAllBytes()));
        PipedInputStream pin = new PipedInputStream();
        PipedOutputStream pout = new PipedOutputStream(pin);
        Thread writer = new Thread(() -> {
            try (pout) {
                for (int i = 0; i < 5000; i++) {
                    pout.write(i);
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        writer.start();
        int sum = 0;
        for (int b; (b = pin.read()) >= 0;) {
            sum += b;
        }
        writer.join();
        System.out.println(sum);
        CharArrayWriter cw = new CharArrayWriter();
        new StringReader("transfer").transferTo(cw);
        System.out.println(cw);
        ByteArrayInputStream mark = new ByteArrayInputStream("abcdef".getBytes());
        mark.skip(2);
        mark.mark(10);
        System.out.print((char) mark.read());
        mark.reset();
        System.out.println((char) mark.read() + " " + mark.available());
        try {
            new FileInputStream("missing");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        try {
            new FileOutputStream("no/such/dir");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        File dir = new File("dir/sub");
        System.out.println(dir.mkdir() + " " + dir.mkdirs() + " " + new File("dir/x").createNewFile()
            + " " + new File("dir/x").createNewFile());
        String[] names = new File("dir").list();
        Arrays.sort(names);
        System.out.println(Arrays.toString(names) + " " + new File("dir").delete() + " "
            + new File("dir/x").renameTo(new File("dir/y")) + " " + dir.getParent() + " "
            + dir.getName() + " " + new File("a/../b/./c").getPath() + " "
            + new File("dir/../dir/y").getCanonicalPath().endsWith("/dir/y"));
        File t = new File("dir/y");
        System.out.println(t.setLastModified(1_000_000_000_000L) + " " + t.lastModified() + " "
            + t.setReadOnly());
        File temp = File.createTempFile("pre", ".suf");
        System.out.println(temp.getName().startsWith("pre") + " " + temp.getName().endsWith(".suf"));
        try (FileInputStream in = new FileInputStream("text")) {
            in.close();
            in.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Console c = System.console();
        System.out.println(c == null);
    }
}
