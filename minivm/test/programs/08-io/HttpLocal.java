/* SPDX-License-Identifier: MIT */
/* The JDK's HTTP server and clients, on 127.0.0.1. */
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.util.concurrent.*;

public class HttpLocal {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        server.setExecutor(pool);
        server.createContext("/echo", x -> {
            byte[] body = x.getRequestBody().readAllBytes();
            x.getResponseHeaders().add("X-Test", "yes");
            byte[] out = (x.getRequestMethod() + " " + x.getRequestURI() + " " + new String(body))
                .getBytes();
            x.sendResponseHeaders(200, out.length);
            x.getResponseBody().write(out);
            x.close();
        });
        server.start();
        String base = "http://127.0.0.1:" + server.getAddress().getPort();
        HttpURLConnection c = (HttpURLConnection) new URL(base + "/echo?a=1").openConnection();
        System.out.println(c.getResponseCode() + " " + c.getHeaderField("X-Test") + " "
            + new String(c.getInputStream().readAllBytes()));
        c = (HttpURLConnection) new URL(base + "/none").openConnection();
        System.out.println(c.getResponseCode());
        try {
            c.getInputStream();
        } catch (FileNotFoundException e) {
            System.out.println("not found");
        }
        HttpClient client = HttpClient.newBuilder().executor(pool).version(HttpClient.Version.HTTP_1_1)
            .build();
        HttpResponse<String> r = client.send(HttpRequest.newBuilder(URI.create(base + "/echo"))
            .POST(HttpRequest.BodyPublishers.ofString("posted")).build(),
            HttpResponse.BodyHandlers.ofString());
        System.out.println(r.statusCode() + " " + r.body() + " " + r.headers().firstValue("x-test"));
        System.out.println(client.sendAsync(HttpRequest.newBuilder(URI.create(base + "/echo/async"))
            .build(), HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body)
            .get(30, TimeUnit.SECONDS));
        server.stop(0);
        pool.shutdown();
        System.exit(0);
    }
}
