/* SPDX-License-Identifier: MIT */
module app.lib {
    exports app.lib;
    exports app.lib.internal to java.logging;
    opens app.lib.opened;
    provides app.lib.Greeter with app.lib.internal.Secret, app.lib.internal.Made;
}
