// SPDX-License-Identifier: MIT
public class FromBoot {
    public static String text() {
        return "boot " + FromBoot.class.getClassLoader();
    }
}
