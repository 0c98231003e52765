/* SPDX-License-Identifier: MIT */
package inside;

public class Inside {
    public static String hello() {
        return "hello from version 11";
    }
}
