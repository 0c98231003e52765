/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.access=ALL-UNNAMED
// vm: --add-exports java.base/jdk.internal.reflect=ALL-UNNAMED
/* jdk.internal.reflect.ConstantPool: every getter at every index. */
import java.lang.reflect.*;
import java.util.*;

public class ConstantPools {
    static int counter;

    static final String[] GETTERS = {
        "getTagAt", "getUTF8At", "getIntAt", "getLongAt", "getFloatAt", "getDoubleAt",
        "getStringAt", "getClassAt", "getMethodAt", "getFieldAt", "getMemberRefInfoAt",
        "getNameAndTypeRefInfoAt", "getClassRefIndexAt", "getNameAndTypeRefIndexAt"
    };

    static Object get(Object pool, String getter, int index) throws Exception {
        try {
            Object o = pool.getClass().getMethod(getter, int.class).invoke(pool, index);
            return o instanceof Object[] a ? Arrays.toString(a) : o;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
        Class<?> access = Class.forName("jdk.internal.access.JavaLangAccess");
        Object pool = access.getMethod("getConstantPool", Class.class)
                          .invoke(secrets.getMethod("getJavaLangAccess").invoke(null),
                                  ConstantPools.class);
        int size = (Integer)pool.getClass().getMethod("getSize").invoke(pool);
        long big = 123456789012L;
        double half = 0.5;
        float quarter = 0.25f;

        counter = 1000000;
        System.out.println(size + " " + big * half * quarter);
        for (int i = -1; i <= size; i++)
            for (String getter : GETTERS)
                System.out.println(i + " " + getter + " " + get(pool, getter, i));
    }
}
