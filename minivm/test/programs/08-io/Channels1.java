/* SPDX-License-Identifier: MIT */
/* File channels: positions, scatter and gather, transfer, locks, mapping. */
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import static java.nio.file.StandardOpenOption.*;

public class Channels1 {
    public static void main(String[] args) throws Exception {
        Path p = Path.of("channel.bin");
        try (FileChannel c = FileChannel.open(p, CREATE, READ, WRITE)) {
            System.out.println(c.write(ByteBuffer.wrap("0123456789".getBytes())) + " " + c.position()
                + " " + c.size());
            System.out.println(c.write(ByteBuffer.wrap("XY".getBytes()), 4) + " " + c.position());
            ByteBuffer a = ByteBuffer.allocate(3), b = ByteBuffer.allocateDirect(100);
            c.position(0);
            System.out.println(c.read(new ByteBuffer[] { a, b }) + " " + new String(a.array()) + " "
                + StandardCharsets.US_ASCII.decode(b.flip()));
            System.out.println(c.read(ByteBuffer.allocate(1)) + " " + c.read(a.clear(), 8));
            c.position(20);
            c.write(new ByteBuffer[] { ByteBuffer.wrap("gap".getBytes()),
                                       ByteBuffer.wrap("end".getBytes()) });
            System.out.println(c.size() + " " + c.truncate(23).size());
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 2, 4096);
            m.put(0, (byte) 'M').putInt(100, 0x41424344);
            m.force();
            System.out.println(c.size());
            ByteBuffer look = ByteBuffer.allocate(4);
            c.read(look, 102);
            System.out.println(new String(look.array()));
            MappedByteBuffer priv = c.map(FileChannel.MapMode.PRIVATE, 0, 50);
            priv.put(0, (byte) 'P');
            MappedByteBuffer ro = c.map(FileChannel.MapMode.READ_ONLY, 0, 10);
            System.out.println((char) priv.get(0) + " " + (char) ro.get(0) + (char) ro.get(2) + " "
                + ro.isReadOnly());
            try (FileLock lock = c.lock(0, 10, false)) {
                System.out.println(lock.isValid() + " " + lock.isShared() + " " + lock.size());
                try {
                    c.tryLock(5, 1, false);
                } catch (OverlappingFileLockException e) {
                    System.out.println("overlaps");
                }
            }
            try (FileChannel out = FileChannel.open(Path.of("copy.bin"), CREATE, WRITE)) {
                System.out.println(c.transferTo(0, 1000, out) + " " + out.size() + " "
                    + out.transferFrom(c.position(0), 500, 10));
                try {
                    out.read(look);
                } catch (NonReadableChannelException e) {
                    System.out.println("not readable");
                }
            }
        }
        try (FileChannel c = FileChannel.open(p, READ)) {
            c.close();
            c.size();
        } catch (ClosedChannelException e) {
            System.out.println("closed");
        }
        try (AsynchronousFileChannel ac = AsynchronousFileChannel.open(Path.of("async"), CREATE, READ,
                WRITE, DELETE_ON_CLOSE)) {
            System.out.println(ac.write(ByteBuffer.wrap("async".getBytes()), 3).get());
            ByteBuffer b = ByteBuffer.allocate(8);
            System.out.println(ac.read(b, 0).get() + " " + new String(b.array()).substring(3));
        }
        System.out.println(Files.exists(Path.of("async")));
        Pipe pipe = Pipe.open();
        pipe.sink().write(ByteBuffer.wrap("piped".getBytes()));
        ByteBuffer in = ByteBuffer.allocate(5);
        pipe.source().read(in);
        System.out.println(new String(in.array()));
        try (ReadableByteChannel r = Channels.newChannel(new ByteArrayInputStream(new byte[10]));
             WritableByteChannel w = Channels.newChannel(new ByteArrayOutputStream())) {
            ByteBuffer b = ByteBuffer.allocate(20);
            System.out.println(r.read(b) + " " + w.write(b.flip()));
        }
        long sum = 0;
        try (RandomAccessFile f = new RandomAccessFile("big", "rw"); FileChannel c = f.getChannel()) {
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20);
            LongBuffer l = m.asLongBuffer();
            for (int i = 0; l.hasRemaining(); i++) {
                l.put(i * 31L);
            }
            l.rewind();
            while (l.hasRemaining()) {
                sum = sum * 17 + l.get();
            }
        }
        System.out.println(sum);
    }
}
