/* SPDX-License-Identifier: MIT */
package app.lib.internal;

public class Secret implements app.lib.Greeter {
    @Override
    public String greet(String name) {
        return "secret " + name;
    }

    public static String tell() {
        return "told";
    }
}
