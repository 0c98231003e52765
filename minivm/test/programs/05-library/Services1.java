/* SPDX-License-Identifier: MIT */
/* ServiceLoader over services of the JDK itself. */
import java.nio.file.spi.FileSystemProvider;
import java.util.*;
import java.util.spi.ToolProvider;

public class Services1 {
    public static void main(String[] args) {
        Set<String> tools = new TreeSet<>();
        for (ToolProvider t : ServiceLoader.load(ToolProvider.class)) {
            tools.add(t.name());
        }
        System.out.println(tools.containsAll(List.of("jar", "javac", "javap")));
        ToolProvider jar = ToolProvider.findFirst("jar").get();
        System.out.println(jar.run(System.out, System.err, "--version"));
        List<String> schemes = new ArrayList<>();
        for (FileSystemProvider p : FileSystemProvider.installedProviders()) {
            schemes.add(p.getScheme());
        }
        System.out.println(schemes);
        ServiceLoader<Runnable> none = ServiceLoader.load(Runnable.class);
        System.out.println(none.iterator().hasNext() + " " + none.findFirst().isEmpty());
    }
}
