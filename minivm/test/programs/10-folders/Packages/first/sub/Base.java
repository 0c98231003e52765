/* SPDX-License-Identifier: MIT */
package first.sub;

public class Base {
    public String hello() {
        return "another Base";
    }
}
