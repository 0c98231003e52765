/* SPDX-License-Identifier: MIT */
/* A selector loop that serves several clients; non-blocking connect. */
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;

public class Selectors {
    public static void main(String[] args) throws Exception {
        Selector sel = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress("127.0.0.1", 0));
        server.configureBlocking(false);
        server.register(sel, SelectionKey.OP_ACCEPT);
        SocketAddress address = server.getLocalAddress();
        int clients = 4;
        Thread[] threads = new Thread[clients];
        String[] answers = new String[clients];
        for (int i = 0; i < clients; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try (SocketChannel c = SocketChannel.open(address)) {
                    c.write(ByteBuffer.wrap(("client " + id).getBytes()));
                    c.shutdownOutput();
                    ByteBuffer b = ByteBuffer.allocate(1000);
                    while (c.read(b) >= 0) {
                        continue;
                    }
                    answers[id] = new String(b.array(), 0, b.position());
                } catch (Exception e) {
                    answers[id] = e.toString();
                }
            });
            threads[i].start();
        }
        int closed = 0;
        while (closed < clients) {
            sel.select(20000);
            for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext();) {
                SelectionKey k = it.next();
                it.remove();
                if (k.isAcceptable()) {
                    SocketChannel c = server.accept();
                    c.configureBlocking(false);
                    c.register(sel, SelectionKey.OP_READ, new StringBuilder());
                } else if (k.isReadable()) {
                    SocketChannel c = (SocketChannel) k.channel();
                    ByteBuffer b = ByteBuffer.allocate(3);
                    int n = c.read(b);
                    StringBuilder text = (StringBuilder) k.attachment();
                    if (n < 0) {
                        k.interestOps(SelectionKey.OP_WRITE);
                    } else {
                        text.append(new String(b.array(), 0, n));
                    }
                } else if (k.isWritable()) {
                    SocketChannel c = (SocketChannel) k.channel();
                    c.write(ByteBuffer.wrap(k.attachment().toString().toUpperCase().getBytes()));
                    c.close();
                    closed++;
                }
            }
        }
        for (Thread t : threads) {
            t.join();
        }
        for (String s : answers) {
            System.out.println(s);
        }
        System.out.println(sel.selectNow() + " " + sel.keys().size());
        Thread waker = new Thread(sel::wakeup);
        waker.start();
        System.out.println(sel.select());
        waker.join();
        SocketChannel nb = SocketChannel.open();
        nb.configureBlocking(false);
        nb.register(sel, SelectionKey.OP_CONNECT);
        if (!nb.connect(address)) {
            while (!nb.finishConnect()) {
                sel.select();
            }
        }
        System.out.println(nb.isConnected() + " " + nb.getRemoteAddress().equals(address));
        System.out.println(nb.read(ByteBuffer.allocate(1)));
        nb.close();
        sel.close();
        try {
            sel.select();
        } catch (ClosedSelectorException e) {
            System.out.println("selector closed");
        }
        try (DatagramChannel d = DatagramChannel.open()) {
            d.bind(new InetSocketAddress("127.0.0.1", 0));
            d.send(ByteBuffer.wrap("self".getBytes()), d.getLocalAddress());
            ByteBuffer b = ByteBuffer.allocate(10);
            System.out.println(d.receive(b).equals(d.getLocalAddress()) + " " + b.position());
        }
        try (AsynchronousServerSocketChannel as = AsynchronousServerSocketChannel.open()
                 .bind(new InetSocketAddress("127.0.0.1", 0));
             AsynchronousSocketChannel ac = AsynchronousSocketChannel.open()) {
            var pending = as.accept();
            ac.connect(as.getLocalAddress()).get();
            try (AsynchronousSocketChannel other = pending.get()) {
                other.write(ByteBuffer.wrap("async".getBytes())).get();
                ByteBuffer b = ByteBuffer.allocate(5);
                ac.read(b).get();
                System.out.println(new String(b.array()));
            }
        }
        UnixDomainSocketAddress u = UnixDomainSocketAddress.of("sock");
        try (ServerSocketChannel us = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(u);
             SocketChannel uc = SocketChannel.open(u); SocketChannel ua = us.accept()) {
            uc.write(ByteBuffer.wrap("unix".getBytes()));
            ByteBuffer b = ByteBuffer.allocate(4);
            ua.read(b);
            System.out.println(new String(b.array()));
        }
    }
}
