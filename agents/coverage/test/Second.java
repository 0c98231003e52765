// SPDX-License-Identifier: MIT
import java.io.File;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/** What runs only with arguments: more of Target, an attach, a kill. */
class Second {
    static class Kept implements Serializable {
        int n;

        static int used() {
            return 1;
        }
    }

    /** Finds its own classes itself and asks nobody. */
    static class Loader extends URLClassLoader {
        Loader() throws Exception {
            super(new URL[] { new File(System.getProperty("java.class.path")).toURI()
                                  .toURL() }, null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve)
            throws ClassNotFoundException {
            if (!name.startsWith("java."))
                return findClass(name);
            return super.loadClass(name, resolve);
        }
    }

    static int choose(int n) {
        int result = 0;
        for (int i = 0; i < n; i++)
            if (i % 2 == 0)
                result += i;
            else
                result -= 1;
        return result;
    }

    static void attach(String library, String options) throws Exception {
        Class<?> machine = Class.forName("com.sun.tools.attach.VirtualMachine");
        String self = Long.toString(ProcessHandle.current().pid());
        Object vm = machine.getMethod("attach", String.class).invoke(null, self);
        Method load = machine.getMethod("loadAgentPath", String.class, String.class);

        try {
            load.invoke(vm, library, options);
        } finally {
            machine.getMethod("detach").invoke(vm);
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "more":
            Target.sparse(5);
            Target.dense(2);
            System.out.println(new Target.Unused().method());
            break;
        case "uid":
            System.out.println(ObjectStreamClass.lookup(Kept.class).getSerialVersionUID());
            break;
        case "loaders":
            for (int i = 0; i < 2; i++)
                try (Loader loader = new Loader()) {
                    loader.loadClass("Second$Kept").getDeclaredMethod("used");
                    System.out.println(
                        loader.loadClass("Target").getMethod("main", String[].class)
                            .invoke(null, (Object)new String[0]));
                }
            break;
        case "attach":
            System.out.println(choose(10));
            attach(args[1], args[2]);
            System.out.println(choose(3) + " " + Kept.used());
            Target.main(new String[0]);
            if (args.length > 3)
                attach(args[1], args[3]);
            break;
        case "strict":
            try (Loader loader = new Loader()) {
                Method used = loader.loadClass("Second$Kept").getDeclaredMethod("used");

                used.setAccessible(true);
                attach(args[1], args[2]);
                System.out.println(used.invoke(null));
            }
            break;
        case "wait":
            System.out.println(choose(3));
            System.out.flush();
            Thread.sleep(60000);
            break;
        default:
            System.exit(1);
        }
    }
}
