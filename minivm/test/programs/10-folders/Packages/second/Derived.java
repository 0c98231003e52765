/* SPDX-License-Identifier: MIT */
package second;

public class Derived extends first.Base {
    @Override
    public String hello() {
        return "derived of " + super.hello();
    }

    String packagePrivate() {
        return "must not override";
    }

    public String protectedSuper() {
        field += 5;
        return prot() + super.prot();
    }

    public static String helper() {
        return "helper";
    }
}
