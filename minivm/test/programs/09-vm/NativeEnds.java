// SPDX-License-Identifier: MIT
// vm: --add-opens=java.base/java.lang=ALL-UNNAMED

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Strings that were never constructed, loaders that never loaded, and calls that come
    when the VM has gone. */
public class NativeEnds {
    static {
        System.loadLibrary("NativeEnds");
    }

    static native String unfinished();
    static native String describe(String s);
    static native void callAtExit();

    static void fails(Runnable r) {
        try {
            r.run();
            System.out.println("no exception");
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
    }

    public static void main(String[] args) throws Exception {
        String s = unfinished();
        System.out.println(describe(s));
        fails(() -> s.hashCode());
        fails(() -> s.equals("a"));
        fails(() -> "a".equals(s));
        fails(() -> s.concat("b"));

        Method exports = Module.class.getDeclaredMethod("implAddExports", String.class,
                                                        Module.class);
        exports.setAccessible(true);
        Module unnamed = new ClassLoader() { }.getUnnamedModule();
        exports.invoke(Object.class.getModule(), "sun.security.util", unnamed);
        System.out.println(Object.class.getModule().isExported("sun.security.util",
                                                               unnamed));
        callAtExit();
        if (args.length > 0)
            System.exit(0);
    }
}
