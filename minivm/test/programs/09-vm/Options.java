/* SPDX-License-Identifier: MIT */
// vm: -Xms16m -Xmx40m -Xss1m -XX:+UseSerialGC -ea -esa -Xint -Dx=y -XX:MaxMetaspaceSize=200m
/* Common options are accepted and seen where a program can see them. */
public class Options {
    public static void main(String[] args) {
        System.out.println(System.getProperty("x") + " " + Options.class.desiredAssertionStatus());
        System.out.println(String.class.desiredAssertionStatus());
        System.out.println(Runtime.getRuntime().maxMemory() <= 40L << 20);
        try {
            assert args.length > 0 : "assertions work";
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
    }
}
