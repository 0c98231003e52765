/* SPDX-License-Identifier: MIT */
import java.io.File;
import java.net.*;
import java.util.*;
import java.util.jar.*;

/* Classes and resources out of jars: manifests, sealing, multi-release, nesting. */
public class JarApp {
    public static void main(String[] args) throws Exception {
        File here = new File(JarApp.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        URL jar = new File(here, "lib/app.jar").toURI().toURL();
        try (URLClassLoader l = new URLClassLoader(new URL[] { jar }, null)) {
            Class<?> c = l.loadClass("inside.Inside");
            System.out.println(c.getMethod("hello").invoke(null));
            Package p = c.getPackage();
            System.out.println(p + " " + p.getImplementationVersion() + " " + p.isSealed());
            System.out.println(c.getResource("data.txt").toString().replaceAll(".*/lib", "lib") + " "
                + new String(c.getResourceAsStream("data.txt").readAllBytes()).trim());
            JarURLConnection u = (JarURLConnection) new URL("jar:" + jar + "!/inside/data.txt")
                .openConnection();
            u.setUseCaches(false);
            System.out.println(u.getEntryName() + " " + u.getContentLength() + " "
                + u.getMainAttributes().getValue("X-Custom"));
            Class<?> viaPath = l.loadClass("Extra");
            System.out.println(viaPath.getProtectionDomain().getCodeSource().getLocation().getPath()
                .endsWith("/lib/extra.jar"));
        }
        try (JarFile j = new JarFile(new File(here, "lib/app.jar"), true, JarFile.OPEN_READ,
                Runtime.version())) {
            System.out.println(j.isMultiRelease() + " " + j.getEntry("inside/data.txt").getSize() + " "
                + j.versionedStream().map(JarEntry::getName).filter(n -> n.endsWith(".class")).sorted()
                .toList());
        }
    }
}
