// SPDX-License-Identifier: MIT
// since: 25
import com.sun.net.httpserver.*;
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;

/** Addresses from literals only, and the simple file server with the HTTP client. */
public class InternetLiterals {
    static String literal(String text) {
        try {
            return InetAddress.ofLiteral(text).getHostAddress();
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }

    static String posix(String text) {
        try {
            return Inet4Address.ofPosixLiteral(text).getHostAddress();
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }

    static String get(HttpClient client, URI uri) throws Exception {
        HttpResponse<String> r = client.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build(),
            HttpResponse.BodyHandlers.ofString());
        return r.statusCode() + " " + r.headers().firstValue("content-type").orElse("none") + " " + r.body().length();
    }

    public static void main(String[] args) throws Exception {
        for (String s : new String[] { "127.0.0.1", "010.1.2.3", "1.2.3", "::1", "[::1]", "::ffff:1.2.3.4", "fe80::1%", "localhost", "" })
            System.out.println("'" + s + "' " + literal(s) + " " + posix(s));
        System.out.println(posix("0x7f.1") + " " + posix("0177.0.0.01") + " " + posix("4294967295") + " " + posix("256.1.1.1"));
        Path root = Files.createDirectory(Path.of("served").toAbsolutePath());
        Files.writeString(root.resolve("page.html"), "<p>hello</p>");
        Files.write(root.resolve("data.bin"), new byte[1000]);
        HttpServer server = SimpleFileServer.createFileServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            root, SimpleFileServer.OutputLevel.NONE);
        server.createContext("/echo", HttpHandlers.handleOrElse(r -> r.getRequestMethod().equals("GET"),
            HttpHandlers.of(202, Headers.of("Content-Type", "text/plain", "X-More", "yes"), "echoed"),
            HttpHandlers.of(405, Headers.of(), "")));
        server.start();
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            URI base = URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":" + server.getAddress().getPort());
            System.out.println(get(client, base.resolve("/page.html")));
            System.out.println(get(client, base.resolve("/data.bin")));
            System.out.println(get(client, base.resolve("/none")).replaceAll(" \\d+$", ""));
            System.out.println(get(client, base.resolve("/echo")));
            HttpResponse<Void> posted = client.send(HttpRequest.newBuilder(base.resolve("/echo"))
                .POST(HttpRequest.BodyPublishers.ofString("x")).build(), HttpResponse.BodyHandlers.discarding());
            System.out.println(posted.statusCode());
        }
        server.stop(0);
    }
}
