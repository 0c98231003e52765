/* SPDX-License-Identifier: MIT */
// vm: --module-path @CLASSES@/mods --add-modules app.main
import java.util.*;

/* Named modules on a module path: exports, opens, services, access errors. */
public class ModuleApp {
    public static void main(String[] args) throws Exception {
        Class<?> main = Class.forName("app.main.Main");
        System.out.println(main.getModule() + " " + new TreeSet<>(main.getModule().getDescriptor()
            .requires()) + " " + main.getModule().getDescriptor().exports());
        main.getMethod("main", String[].class).invoke(null, (Object) new String[] { "arg" });
        try {
            Class.forName("app.lib.internal.Secret").getMethod("tell").invoke(null);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        System.out.println(Class.forName("app.lib.opened.Open").getDeclaredField("hidden")
            .trySetAccessible());
        System.out.println(main.getModule().canRead(ModuleApp.class.getModule()) + " "
            + ModuleLayer.boot().findModule("app.lib").get().getPackages().stream().sorted().toList());
        System.out.println(main.getModule().getResourceAsStream("app/main/text.txt") + " "
            + ModuleApp.class.getResource("/app/main/text.txt") + " "
            + new String(main.getModule().getResourceAsStream("root.txt").readAllBytes()).trim());
    }
}
