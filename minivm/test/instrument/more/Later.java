// SPDX-License-Identifier: MIT
public class Later {
    public static String text() {
        return "later " + (Later.class.getClassLoader() == null);
    }
}
