/* SPDX-License-Identifier: MIT */
package first;

public class Base {
    protected int field = 1;

    public String hello() {
        return "base";
    }

    String packagePrivate() {
        return "first's own";
    }

    public String viaPackage() {
        return packagePrivate();
    }

    protected String prot() {
        return "protected" + field;
    }
}

class Hidden {
}
