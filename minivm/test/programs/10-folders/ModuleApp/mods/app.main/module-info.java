/* SPDX-License-Identifier: MIT */
module app.main {
    requires app.lib;
    requires static java.logging;
    exports app.main;
    uses app.lib.Greeter;
}
