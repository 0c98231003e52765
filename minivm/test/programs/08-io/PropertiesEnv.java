/* SPDX-License-Identifier: MIT */
// vm: -Dmy.prop=value -Dempty -Dwith.equals=a=b
/* System properties and the environment, as the options set them. */
import java.util.*;

public class PropertiesEnv {
    public static void main(String[] args) {
        System.out.println(System.getProperty("my.prop") + " [" + System.getProperty("empty") + "] "
            + System.getProperty("with.equals") + " " + System.getProperty("none", "default"));
        for (String k : new String[] { "java.version", "java.specification.version",
            "java.specification.name", "java.class.version", "file.separator", "path.separator",
            "line.separator", "os.name", "os.arch", "file.encoding", "java.home", "user.dir",
            "sun.arch.data.model", "java.vm.specification.version", "java.vm.specification.name",
            "java.vendor", "sun.jnu.encoding", "user.language", "java.vm.specification.vendor",
            "native.encoding", "java.runtime.version", "sun.cpu.endian", "sun.java.command" }) {
            String v = System.getProperty(k);
            if (k.equals("java.home")) {
                v = "" + (v != null && !v.isEmpty());
            } else if (k.equals("user.dir")) {
                v = "" + v.equals(new java.io.File("").getAbsolutePath());
            }
            System.out.println(k + "=" + v.replace("\n", "\\n"));
        }
        for (String k : new String[] { "java.vm.name", "java.vm.version", "java.vm.vendor",
            "java.vm.info", "java.library.path", "java.class.path", "java.io.tmpdir", "user.name",
            "user.home", "os.version", "sun.boot.library.path" }) {
            if (System.getProperty(k) == null) {
                System.out.println("missing " + k);
            }
        }
        System.setProperty("set", "now");
        System.out.println(System.getProperty("set") + " " + System.clearProperty("set") + " "
            + System.getProperty("set") + " " + Integer.getInteger("none", 7) + " "
            + Boolean.getBoolean("empty"));
        System.out.println(System.getenv("LC_ALL") + " " + System.getenv().containsKey("PATH"));
        try {
            System.getenv().put("x", "y");
        } catch (UnsupportedOperationException e) {
            System.out.println("environment is read-only");
        }
        System.out.println(System.lineSeparator().length() + " " + Runtime.version().feature() + " "
            + (Runtime.getRuntime().availableProcessors() > 0));
        System.out.println(Locale.getDefault() + " " + TimeZone.getDefault().getID());
        long t = System.currentTimeMillis(), n = System.nanoTime();
        System.out.println((t > 1_600_000_000_000L) + " " + (System.nanoTime() >= n));
        System.out.println(Runtime.getRuntime().totalMemory() <= Runtime.getRuntime().maxMemory());
    }
}
