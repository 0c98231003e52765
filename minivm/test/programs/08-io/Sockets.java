/* SPDX-License-Identifier: MIT */
/* TCP on 127.0.0.1: echo, timeouts, half close, options, refused. */
import java.io.*;
import java.net.*;
import java.util.*;

public class Sockets {
    public static void main(String[] args) throws Exception {
        InetAddress local = InetAddress.getByName("127.0.0.1");
        try (ServerSocket server = new ServerSocket(0, 10, local)) {
            Thread t = new Thread(() -> {
                try {
                    for (int i = 0; i < 3; i++) {
                        try (Socket s = server.accept()) {
                            BufferedReader r = new BufferedReader(new InputStreamReader(
                                s.getInputStream()));
                            PrintWriter w = new PrintWriter(s.getOutputStream(), true);
                            for (String line; (line = r.readLine()) != null;) {
                                w.println("echo " + line);
                            }
                            w.println("bye");
                        }
                    }
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            t.start();
            for (int i = 0; i < 3; i++) {
                try (Socket s = new Socket(local, server.getLocalPort())) {
                    s.setTcpNoDelay(true);
                    s.setSoTimeout(20000);
                    PrintWriter w = new PrintWriter(s.getOutputStream(), true);
                    w.println("hello " + i);
                    w.println("x".repeat(70000 * i));
                    s.shutdownOutput();
                    BufferedReader r = new BufferedReader(new InputStreamReader(s.getInputStream()));
                    System.out.println(r.readLine() + " " + r.readLine().length() + " " + r.readLine()
                        + " " + r.readLine());
                    System.out.println(s.isConnected() + " " + s.isOutputShutdown() + " "
                        + s.getTcpNoDelay() + " " + s.getInetAddress());
                }
            }
            t.join();
            server.setSoTimeout(5);
            try {
                server.accept();
            } catch (SocketTimeoutException e) {
                System.out.println(e.getMessage());
            }
        }
        int dead;
        try (ServerSocket s = new ServerSocket(0, 1, local)) {
            dead = s.getLocalPort();
            try (Socket c = new Socket(local, dead); Socket d = s.accept()) {
                c.setSoTimeout(5);
                try {
                    c.getInputStream().read();
                } catch (SocketTimeoutException e) {
                    System.out.println(e.getMessage());
                }
                Thread closer = new Thread(() -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            Thread.sleep(20);
                            break;
                        }
                        c.close();
                    } catch (Exception e) {
                        System.out.println(e);
                    }
                });
                c.setSoTimeout(0);
                closer.start();
                try {
                    c.getInputStream().read();
                } catch (SocketException e) {
                    System.out.println(e.getMessage());
                }
                closer.join();
            }
        }
        try {
            new Socket(local, dead).close();
        } catch (ConnectException e) {
            System.out.println(e.getMessage());
        }
        DatagramSocket a = new DatagramSocket(0, local), b = new DatagramSocket(0, local);
        a.send(new DatagramPacket("datagram".getBytes(), 8, local, b.getLocalPort()));
        DatagramPacket got = new DatagramPacket(new byte[100], 100);
        b.receive(got);
        System.out.println(new String(got.getData(), 0, got.getLength()) + " "
            + (got.getPort() == a.getLocalPort()));
        a.close();
        b.close();
        System.out.println(InetAddress.getByAddress(new byte[] { 10, 0, 0, 1 }) + " "
            + InetAddress.getByName("::1").getHostAddress() + " " + local.isLoopbackAddress() + " "
            + Arrays.toString(InetAddress.getByName("1.2.3.4").getAddress()));
        try {
            InetAddress.getByName("1.2.3.4.5.invalid.");
        } catch (UnknownHostException e) {
            System.out.println("unknown host");
        }
        System.out.println(new InetSocketAddress("127.0.0.1", 80) + " "
            + new URL("http://h:8/p?q#r").getPort() + " " + NetworkInterface.getByInetAddress(local)
            .isLoopback());
    }
}
