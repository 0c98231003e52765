// SPDX-License-Identifier: MIT
import java.lang.instrument.Instrumentation;

/** An agent that has classes transformed once more, without changing them itself. */
class Again {
    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation i) {
        instrumentation = i;
    }

    public static void main(String[] args) throws Exception {
        Target.sparse(1);
        Target.Shape.of(3);
        for (Class<?> c : instrumentation.getAllLoadedClasses())
            if (c.getName().startsWith("Target") && instrumentation.isModifiableClass(c))
                instrumentation.retransformClasses(c);
        Target.main(args);
        System.out.println(Target.sparse(5));
    }
}
