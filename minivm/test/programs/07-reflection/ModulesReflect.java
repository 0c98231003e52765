/* SPDX-License-Identifier: MIT */
/* Modules through reflection: names, exports, layers, access across them. */
import java.lang.module.*;
import java.util.*;

public class ModulesReflect {
    public static void main(String[] args) throws Exception {
        Module base = Object.class.getModule(), mine = ModulesReflect.class.getModule();
        System.out.println(base + " " + mine.isNamed() + " " + mine.getName() + " "
            + base.getDescriptor().isOpen());
        System.out.println(base.isExported("java.lang") + " " + base.isExported("jdk.internal.misc")
            + " " + base.isExported("jdk.internal.misc", mine) + " " + base.isOpen("java.lang", mine)
            + " " + mine.canRead(base) + " " + base.canRead(mine) + " " + mine.isExported("x"));
        ModuleLayer boot = ModuleLayer.boot();
        System.out.println(boot.findModule("java.logging").isPresent() + " "
            + boot.findModule("no.such").isPresent() + " " + boot.parents());
        ModuleDescriptor d = boot.findModule("java.logging").get().getDescriptor();
        System.out.println(d.exports() + " " + d.packages().contains("java.util.logging") + " "
            + new TreeSet<>(d.requires()));
        System.out.println(Class.forName(base, "java.lang.String") + " "
            + Class.forName(base, "no.Such"));
        ModuleFinder system = ModuleFinder.ofSystem();
        System.out.println(system.find("java.base").get().location().get());
        try (ModuleReader r = system.find("java.base").get().open()) {
            System.out.println(r.find("java/lang/Object.class").get() + " "
                + r.read("module-info.class").get().remaining() / 1000);
        }
        System.out.println(Object.class.getResource("Object.class") + " "
            + (ModulesReflect.class.getResource("ModulesReflect.class") != null));
        System.out.println(Object.class.getPackage() + " " + ModulesReflect.class.getPackage()
            .getName().isEmpty());
        Configuration c = boot.configuration().resolve(ModuleFinder.of(), system,
            Set.of("java.xml"));
        System.out.println(c.modules());
        try {
            Class<?> k = Class.forName("jdk.internal.misc.VM");
            k.getMethod("isBooted").invoke(null);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        System.out.println(ModulesReflect.class.getClassLoader().getUnnamedModule() == mine);
    }
}
