/* SPDX-License-Identifier: MIT */
import first.Base;
import second.Derived;
import static second.Derived.helper;

/* Access across packages: protected, package-private, same names. */
public class Packages {
    public static void main(String[] args) throws Exception {
        Base b = new Derived();
        System.out.println(b.hello() + " " + b.viaPackage() + " " + helper());
        System.out.println(new Derived().protectedSuper() + " " + Derived.class.getPackageName()
            + " " + Base.class.getPackage());
        try {
            Class.forName("first.Hidden").getDeclaredConstructor().newInstance();
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            Base.class.getDeclaredMethod("prot").invoke(b);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new first.sub.Base().hello());
    }
}
