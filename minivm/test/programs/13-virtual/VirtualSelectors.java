// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Virtual threads that wait for sockets, selectors and pipes, and are woken from them. */
public class VirtualSelectors {
    /** One thread serves all connections by a selector: each line comes back in capitals. */
    static int serve(ServerSocketChannel server, int lines) throws IOException {
        int served = 0;
        try (Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            while (served < lines) {
                selector.select();
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    if (key.isAcceptable()) {
                        SocketChannel client = server.accept();
                        client.configureBlocking(false);
                        client.register(selector, SelectionKey.OP_READ, new StringBuilder());
                    } else if (key.isReadable()) {
                        served += answer(key);
                    }
                }
            }
        }
        return served;
    }

    private static int answer(SelectionKey key) throws IOException {
        SocketChannel client = (SocketChannel) key.channel();
        ByteBuffer buffer = ByteBuffer.allocate(64);
        StringBuilder text = (StringBuilder) key.attachment();
        int lines = 0;
        if (client.read(buffer) < 0) {
            client.close();
            return 0;
        }
        text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
        for (int end; (end = text.indexOf("\n")) >= 0; lines++) {
            String line = text.substring(0, end + 1).toUpperCase(Locale.ROOT);
            ByteBuffer out = StandardCharsets.UTF_8.encode(line);
            while (out.hasRemaining())
                client.write(out);
            text.delete(0, end + 1);
        }
        return lines;
    }

    static String ask(int port, int client, int lines) throws IOException {
        StringBuilder answers = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
             var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
             var out = new PrintWriter(socket.getOutputStream(), true)) {
            for (int i = 0; i < lines; i++) {
                out.println("line " + client + "." + i);
                answers.append(in.readLine()).append(';');
            }
        }
        return answers.toString();
    }

    public static void main(String[] args) throws Exception {
        try (var server = ServerSocketChannel.open();
             var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            Future<Integer> served = executor.submit(() -> serve(server, 8 * 5));
            List<Future<String>> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int n = i;
                clients.add(executor.submit(() -> ask(port, n, 5)));
            }
            for (Future<String> client : clients)
                System.out.println(client.get());
            System.out.println("served " + served.get());
        }
        Pipe pipe = Pipe.open();
        AtomicLong sum = new AtomicLong();
        Thread reader = Thread.startVirtualThread(() -> {
            ByteBuffer buffer = ByteBuffer.allocate(7);
            try (var source = pipe.source()) {
                while (source.read(buffer.clear()) >= 0)
                    for (buffer.flip(); buffer.hasRemaining();)
                        sum.addAndGet(buffer.get());
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        Thread.startVirtualThread(() -> {
            try (var sink = pipe.sink()) {
                for (int i = 0; i < 100; i++) {
                    sink.write(ByteBuffer.wrap(new byte[] { (byte) i, 1 }));
                    Thread.yield();
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }).join();
        reader.join();
        System.out.println("pipe " + sum);

        Selector selector = Selector.open();
        CountDownLatch begun = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                begun.countDown();
                System.out.println("woken up, ready " + selector.select());
                Thread.currentThread().interrupt();
                System.out.println("interrupted, ready " + selector.select() + " "
                                   + Thread.interrupted());
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        begun.await();
        selector.wakeup();
        waiting.join();
        selector.close();
        ServerSocket nobody = new ServerSocket(0);
        Thread accepting = Thread.startVirtualThread(() -> {
            try {
                nobody.accept();
            } catch (SocketException e) {
                System.out.println("closed while it waits: " + nobody.isClosed());
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        Thread.sleep(20);
        nobody.close();
        accepting.join();
        try (ServerSocket slow = new ServerSocket(0)) {
            slow.setSoTimeout(10);
            Thread.startVirtualThread(() -> {
                try {
                    slow.accept();
                } catch (IOException e) {
                    System.out.println(e.getClass().getSimpleName());
                }
            }).join();
        }
    }
}
