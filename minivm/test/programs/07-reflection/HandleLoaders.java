/* SPDX-License-Identifier: MIT */
/* Loaders with classes of the same name need not agree about what goes through
   MethodHandle.invoke and VarHandle.get. */
import java.io.InputStream;
import java.lang.invoke.*;

public class HandleLoaders {
    public static class Own {
        final String name;

        Own(String name) {
            this.name = name;
        }

        Own twice() {
            return new Own(name + name);
        }
    }

    public static class User implements Runnable {
        Own kept = new Own("kept");

        @Override
        public void run() {
            try {
                MethodHandles.Lookup l = MethodHandles.lookup();
                MethodHandle twice =
                    l.findVirtual(Own.class, "twice", MethodType.methodType(Own.class));
                VarHandle kept = l.findVarHandle(User.class, "kept", Own.class);
                Own exact = (Own)twice.invokeExact(new Own("a"));
                Own generic = (Own)twice.invoke((Own)kept.getVolatile(this));
                System.out.println(exact.name + " " + generic.name);
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
    }

    static class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            if (!name.startsWith("HandleLoaders$"))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null)
                return known;
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] file = in.readAllBytes();
                return defineClass(name, file, 0, file.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        new User().run();
        for (int i = 0; i < 3; i++)
            ((Runnable)new Loader().loadClass("HandleLoaders$User").getConstructor()
                .newInstance()).run();
    }
}
