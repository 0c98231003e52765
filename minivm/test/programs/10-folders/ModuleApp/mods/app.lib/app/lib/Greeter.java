/* SPDX-License-Identifier: MIT */
package app.lib;

public interface Greeter {
    String greet(String name);
}
