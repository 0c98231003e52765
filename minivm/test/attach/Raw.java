/* SPDX-License-Identifier: MIT */

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Raw PID CASE...: requests to the socket of a VM that listens already, byte for byte.
 * A case is a request with its parts behind '|', or the name of a misuse.
 */
public class Raw {
    static UnixDomainSocketAddress address;

    static SocketChannel connect() throws IOException {
        SocketChannel c = SocketChannel.open(StandardProtocolFamily.UNIX);
        c.connect(address);
        return c;
    }

    static void send(SocketChannel c, String text) throws IOException {
        ByteBuffer b = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (b.hasRemaining())
            c.write(b);
    }

    static String receive(SocketChannel c) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(1 << 20);
        while (c.read(b) > 0) {
        }
        return new String(b.array(), 0, b.position(), StandardCharsets.UTF_8);
    }

    static String ask(String request) throws IOException {
        try (SocketChannel c = connect()) {
            send(c, request);
            return receive(c);
        }
    }

    static String request(String parts) {
        String[] p = parts.split("\\|", -1);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 5; i++)
            b.append(i < p.length ? p[i] : "").append('\0');
        return b.toString();
    }

    /** Many clients at once while one says nothing. */
    static void crowd() throws Exception {
        AtomicInteger good = new AtomicInteger();
        Thread[] threads = new Thread[8];
        try (SocketChannel silent = connect()) {
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        for (int k = 0; k < 10; k++)
                            if (ask(request("1|jcmd|VM.uptime")).startsWith("0\n"))
                                good.incrementAndGet();
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                });
                threads[i].start();
            }
            for (Thread t : threads)
                t.join();
            System.out.println(good + " answers, silent one: " + receive(silent).trim());
        }
    }

    static void misuse(String name) throws Exception {
        switch (name) {
        case "truncated":
            try (SocketChannel c = connect()) {
                send(c, "1\0jcmd\0VM.ver");
                c.shutdownOutput();
                System.out.println(receive(c).trim());
            }
            break;
        case "empty":
            try (SocketChannel c = connect()) {
                c.shutdownOutput();
                System.out.println(receive(c).trim());
            }
            break;
        case "long":
            try (SocketChannel c = connect()) {
                try {
                    send(c, "1\0jcmd\0" + "x".repeat(1 << 20));
                } catch (IOException e) {
                    /* Closed before it was all sent. */
                }
                String answer = "";
                try {
                    answer = receive(c);
                } catch (IOException e) {
                    /* Reset for the same reason. */
                }
                System.out.println(answer.isEmpty() || answer.startsWith("-1\n")
                                   ? "refused" : answer);
            }
            break;
        case "gone":
            for (int i = 0; i < 20; i++)
                try (SocketChannel c = connect()) {
                    send(c, request("1|threaddump"));
                }
            System.out.println("gone");
            break;
        case "crowd":
            crowd();
            break;
        default:
            throw new IllegalArgumentException(name);
        }
    }

    public static void main(String[] args) throws Exception {
        address = UnixDomainSocketAddress.of("/tmp/.java_pid" + args[0]);
        for (int i = 1; i < args.length; i++) {
            System.out.println("> " + args[i]);
            try {
                if (args[i].indexOf('|') < 0)
                    misuse(args[i]);
                else
                    System.out.println(ask(request(args[i])).replaceAll("\n*$", ""));
            } catch (IOException e) {
                System.out.println(e);
            }
        }
    }
}
