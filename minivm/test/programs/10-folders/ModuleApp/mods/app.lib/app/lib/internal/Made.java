/* SPDX-License-Identifier: MIT */
package app.lib.internal;

public class Made {
    public static app.lib.Greeter provider() {
        return name -> "made " + name;
    }
}
