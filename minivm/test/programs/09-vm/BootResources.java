/* SPDX-License-Identifier: MIT */
// vm: -Xbootclasspath/a:.
/* What stands in -Xbootclasspath/a is a resource of the boot loader. */
import java.net.*;
import java.nio.file.*;

public class BootResources {
    static String read(URL url) throws Exception {
        return url == null ? "none" : new String(url.openStream().readAllBytes());
    }

    public static void main(String[] args) throws Exception {
        Files.writeString(Path.of("text"), "in the working directory");
        System.out.println(read(ClassLoader.getSystemResource("text")));
        System.out.println(read(new URLClassLoader(new URL[0], null).getResource("text")));
        System.out.println(read(ClassLoader.getSystemResource("no-text")));
        System.out.println(System.getProperty("jdk.boot.class.path.append"));
    }
}
