// SPDX-License-Identifier: MIT
// since: 21
// vm: -Dstdout.encoding=UTF-8
import java.io.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.util.*;

/** UTF-8 by default, whatever the locale says: readers, writers, streams, strings, files. */
public class DefaultCharsets {
    static final String TEXT = "na\u00efve \u20ac \u65e5\u672c \ud83d\ude00";

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Charset.defaultCharset() + " " + System.getProperty("file.encoding"));
        System.out.println(hex(TEXT.getBytes()) + " " + Arrays.equals(TEXT.getBytes(), TEXT.getBytes(StandardCharsets.UTF_8)));
        File file = new File("text.txt");
        try (Writer w = new FileWriter(file)) {
            w.write(TEXT);
        }
        System.out.println(file.length() + " " + TEXT.equals(Files.readString(file.toPath())));
        try (BufferedReader r = new BufferedReader(new FileReader(file))) {
            System.out.println(TEXT.equals(r.readLine()));
        }
        try (Reader r = new FileReader(file, StandardCharsets.ISO_8859_1)) {
            char[] chars = new char[100];
            System.out.println(r.read(chars) + " " + (int) chars[2]);
        }
        try (Scanner s = new Scanner(file)) {
            List<String> words = new ArrayList<>();
            s.forEachRemaining(words::add);
            System.out.println(words.size() + " " + words.get(3).codePointCount(0, words.get(3).length()));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream p = new PrintStream(bytes)) {
            p.print('\u00ff');
            p.printf("%c", 0x1f600);
        }
        System.out.println(hex(bytes.toByteArray()) + " " + bytes.toString().length());
        try (OutputStreamWriter w = new OutputStreamWriter(bytes)) {
            System.out.println(w.getEncoding());
        }
        try (PrintStream p = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_16)) {
            System.out.println(p.charset() + " " + System.out.charset());
        }
        System.out.println(new String(new byte[] { (byte) 0xc3, (byte) 0xa9, (byte) 0xff }).codePoints()
            .mapToObj(Integer::toHexString).toList());
        System.out.println(Charset.forName("no-such", StandardCharsets.US_ASCII) + " "
            + Charset.forName("latin1", null));
        Formatter f = new Formatter("formatted.txt");
        f.format("%s\u00e9", "caf");
        f.close();
        System.out.println(Files.size(Path.of("formatted.txt")));
        try {
            Files.write(Path.of("bad.txt"), new byte[] { 'a', (byte) 0x80 });
            Files.readString(Path.of("bad.txt"));
        } catch (MalformedInputException e) {
            System.out.println(e.getMessage());
        }
        Properties p = new Properties();
        p.load(new ByteArrayInputStream("k=\u00e9".getBytes(StandardCharsets.ISO_8859_1)));
        System.out.println((int) p.getProperty("k").charAt(0));
    }
}
