/* SPDX-License-Identifier: MIT */
/* A mapped file that shrinks: the access fails with InternalError, no crash. */
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

public class ShrunkMap {
    public static void main(String[] args) throws Exception {
        try (RandomAccessFile f = new RandomAccessFile("shrink", "rw")) {
            f.setLength(1 << 16);
            MappedByteBuffer m = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
            m.put(40000, (byte) 5);
            System.out.println(m.get(40000));
            f.setLength(0);
            boolean failed = false;
            try {
                int sum = 0;
                for (int i = 0; i < 1 << 16; i += 512) {
                    sum += m.get(i);
                }
                System.out.println("sum " + sum);
            } catch (InternalError e) {
                failed = true;
            }
            System.out.println(failed);
            f.setLength(1 << 16);
            System.out.println(m.get(100) + " " + m.get(40000));
        }
    }
}
