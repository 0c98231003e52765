/* SPDX-License-Identifier: MIT */
package tck;

import java.util.List;
import java.util.ServiceLoader;

/** What java.lang.Module says after the agent has changed it. */
final class Modules {
    private Modules() {
    }

    static Module of(Class<?> type) {
        return type.getModule();
    }

    static Module[] ofBootLayer() {
        return ModuleLayer.boot().modules().toArray(new Module[0]);
    }

    static String hiddenPackage(Module module, Module other) {
        for (String name : module.getPackages())
            if (!module.isExported(name, other) && !module.isOpen(name, other))
                return name;
        return null;
    }

    static String aPackage(Module module) {
        for (String name : module.getPackages())
            return name;
        return "";
    }

    static boolean reads(Module from, Module to) {
        return from.canRead(to);
    }

    static boolean exports(Module from, String name, Module to) {
        return from.isExported(name, to);
    }

    static boolean opens(Module from, String name, Module to) {
        return from.isOpen(name, to);
    }

    static boolean uses(Module module, Class<?> service) {
        return module.canUse(service);
    }

    @SuppressWarnings("rawtypes")
    static boolean provided() {
        Modules.class.getModule().addUses(List.class);
        for (List list : ServiceLoader.load(List.class, Modules.class.getClassLoader()))
            if (list.getClass() == java.util.ArrayList.class)
                return true;
        return false;
    }

    static boolean systemFinds(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader()) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static boolean bootFinds(String name) {
        try {
            return Class.forName(name, false, null).getClassLoader() == null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
