// SPDX-License-Identifier: MIT
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** Keeps the Instrumentation; its transformers put a letter for a '.' of "steps:". */
public class Agent {
    static Instrumentation inst;
    static final List<String> log = new ArrayList<>();

    static class Stepper implements ClassFileTransformer {
        final String letter;

        Stepper(String letter) {
            this.letter = letter;
        }

        @Override
        public byte[] transform(Module module, ClassLoader loader, String name,
                                Class<?> redefined, ProtectionDomain domain,
                                byte[] file) {
            if (name == null || !name.startsWith("Steps"))
                return null;
            log.add(letter + " " + name + " " + (redefined != null) + " "
                    + module.isNamed() + " " + (loader == ClassLoader.getSystemClassLoader()) + " "
                    + (domain != null));
            if (letter.equals("throws"))
                throw new IllegalStateException("ignored");
            if (letter.equals("-"))
                return null;
            byte[] changed = file.clone();
            int i = 0;
            while (changed[i] != 's' || changed[i + 1] != 't' || changed[i + 5] != ':')
                i++;
            while (changed[i] != '.')
                i++;
            changed[i] = (byte)letter.charAt(0);
            return changed;
        }
    }

    public static void premain(String options, Instrumentation instrumentation)
            throws Exception {
        System.out.println("premain " + options + " "
                           + Thread.currentThread().getName());
        if ("throw".equals(options))
            throw new Exception("no start");
        if (inst == null)
            inst = instrumentation;
        /* Boot-Class-Path */
        System.out.println(Class.forName("FromBoot", true, null).getClassLoader());
    }
}
