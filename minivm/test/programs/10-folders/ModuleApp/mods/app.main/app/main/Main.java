/* SPDX-License-Identifier: MIT */
package app.main;

import app.lib.Greeter;
import java.util.ServiceLoader;

public class Main {
    public static void main(String[] args) {
        for (Greeter g : ServiceLoader.load(Greeter.class)) {
            System.out.println(g.greet(args[0]) + " " + g.getClass().getModule().getName());
        }
        try {
            Class.forName("app.lib.internal.Secret").getMethod("tell").invoke(null);
        } catch (ReflectiveOperationException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Throwable().getStackTrace()[0]);
    }
}
