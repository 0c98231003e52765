/* SPDX-License-Identifier: MIT */
package app.lib.opened;

public class Open {
    private int hidden = 1;
}
