// SPDX-License-Identifier: MIT
// ReverseLines reverse|rotate FILE... -- changes the order of the line number tables of
// class files, in place: turned round, or the second half first.  The specification does
// not want the entries in order, but javac has them so.

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class ReverseLines {
    private final ByteBuffer bytes;
    private final String[] texts;
    private final boolean rotates;

    private ReverseLines(byte[] file, boolean rotates) {
        this.rotates = rotates;
        bytes = ByteBuffer.wrap(file).position(8);
        texts = new String[nextShort()];
        for (int i = 1; i < texts.length; i++)
            i += readConstant(i);
    }

    public static void main(String[] args) throws IOException {
        for (int i = 1; i < args.length; i++) {
            byte[] file = Files.readAllBytes(Path.of(args[i]));
            new ReverseLines(file, args[0].equals("rotate")).reverse();
            Files.write(Path.of(args[i]), file);
        }
    }

    private int nextShort() {
        return bytes.getShort() & 0xffff;
    }

    private void skip(int count) {
        bytes.position(bytes.position() + count);
    }

    /** The number of entries beyond its own that the constant takes. */
    private int readConstant(int index) {
        int tag = bytes.get();
        switch (tag) {
        case 1:
            byte[] text = new byte[nextShort()];
            bytes.get(text);
            texts[index] = new String(text, StandardCharsets.UTF_8);
            return 0;
        case 5: case 6:
            skip(8);
            return 1;
        case 15:
            skip(3);
            return 0;
        case 7: case 8: case 16: case 19: case 20:
            skip(2);
            return 0;
        default:
            skip(4);
            return 0;
        }
    }

    private void reverse() {
        skip(6);
        skip(2 * nextShort());
        for (int kind = 0; kind < 2; kind++)
            for (int members = nextShort(); members > 0; members--) {
                skip(6);
                reverseAttributes();
            }
    }

    private void reverseAttributes() {
        for (int count = nextShort(); count > 0; count--) {
            String name = texts[nextShort()];
            int end = bytes.getInt() + bytes.position();
            if (name.equals("Code")) {
                skip(4);
                skip(bytes.getInt());
                skip(8 * nextShort());
                reverseAttributes();
            } else if (name.equals("LineNumberTable"))
                reverseTable();
            bytes.position(end);
        }
    }

    private void reverseTable() {
        int rows = nextShort(), at = bytes.position();
        int[] table = new int[rows];
        for (int i = 0; i < rows; i++)
            table[rotates ? (i + rows / 2) % rows : rows - 1 - i] = bytes.getInt();
        bytes.position(at);
        for (int row : table)
            bytes.putInt(row);
    }
}
