/* SPDX-License-Identifier: MIT */
/* System.setOut, setErr and setIn; PrintStream encodings; System.Logger. */
import java.io.*;
import java.nio.charset.StandardCharsets;

public class Redirects {
    public static void main(String[] args) throws Exception {
        PrintStream real = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_16BE));
        System.out.println("caught");
        System.setErr(System.out);
        new Exception("trace").printStackTrace();
        System.setOut(real);
        String s = bytes.toString(StandardCharsets.UTF_16BE);
        System.out.println(s.lines().limit(2).toList() + " " + bytes.size());
        System.setIn(new ByteArrayInputStream("typed\n".getBytes()));
        System.out.println(new BufferedReader(new InputStreamReader(System.in)).readLine());
        PrintStream broken = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("full");
            }
        });
        broken.println("x");
        System.out.println(broken.checkError());
        StringWriter sw = new StringWriter();
        try {
            try {
                throw new IOException("first");
            } catch (IOException e) {
                IllegalStateException x = new IllegalStateException("second", e);
                x.addSuppressed(new Exception("suppressed", new Error("deep")));
                throw x;
            }
        } catch (IllegalStateException e) {
            e.printStackTrace(new PrintWriter(sw, true));
        }
        System.out.print(sw);
        Exception loop = new Exception("loop");
        loop.initCause(new Exception("cause", loop));
        loop.printStackTrace(System.out);
        FileOutputStream fd = new FileOutputStream(FileDescriptor.out);
        fd.write("direct\n".getBytes());
    }
}
