/* SPDX-License-Identifier: MIT */
/* Charsets: encoders, decoders, malformed input, buffers too small. */
import java.nio.*;
import java.nio.charset.*;
import java.util.Arrays;

public class Charsets {
    public static void main(String[] args) throws CharacterCodingException {
        String text = "A\u00e9\u03b1\u4e2d\ud83d\ude00\u20ac";
        for (String name : new String[] { "US-ASCII", "ISO-8859-1", "UTF-8", "UTF-16",
            "UTF-16LE", "UTF-32", "windows-1252", "ISO-8859-15", "Shift_JIS", "GB18030", "IBM037",
            "EUC-JP" }) {
            if (!Charset.isSupported(name)) {
                System.out.println(name + " unsupported");
                continue;
            }
            Charset c = Charset.forName(name);
            byte[] bytes = text.getBytes(c);
            System.out.println(name + " " + Arrays.toString(bytes) + " " + new String(bytes, c));
            System.out.println(c.newEncoder().canEncode('\u20ac') + " "
                + c.newEncoder().maxBytesPerChar() + " " + c.aliases().size());
        }
        CharsetDecoder d = StandardCharsets.UTF_8.newDecoder();
        byte[][] bad = { { (byte) 0xff }, { (byte) 0xc0, (byte) 0x80 }, { (byte) 0xe2, (byte) 0x82 },
                         { (byte) 0xed, (byte) 0xa0, (byte) 0x80 }, { 65, (byte) 0x80, 66 } };
        for (byte[] b : bad) {
            try {
                d.decode(ByteBuffer.wrap(b));
                System.out.println("accepted");
            } catch (CharacterCodingException e) {
                System.out.println(e);
            }
            CharsetDecoder r = StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE).replaceWith("?");
            System.out.println(r.decode(ByteBuffer.wrap(b)));
        }
        try {
            StandardCharsets.US_ASCII.newEncoder().encode(CharBuffer.wrap("\u00e9"));
        } catch (UnmappableCharacterException e) {
            System.out.println(e.getMessage());
        }
        CharsetEncoder e = StandardCharsets.UTF_8.newEncoder();
        ByteBuffer small = ByteBuffer.allocate(4);
        CharBuffer in = CharBuffer.wrap(text);
        while (true) {
            CoderResult r = e.encode(in, small, true);
            small.flip();
            System.out.println(r + " " + small.remaining());
            small.clear();
            if (r.isUnderflow()) {
                break;
            }
        }
        try {
            Charset.forName("bad name!");
        } catch (IllegalCharsetNameException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(Charset.defaultCharset() + " " + StandardCharsets.UTF_8.contains(
            StandardCharsets.US_ASCII));
    }
}
