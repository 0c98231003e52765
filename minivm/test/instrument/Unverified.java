// SPDX-License-Identifier: MIT
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** An agent whose new version of a class of the library does not pass verification. */
public class Unverified {
    public static void agentmain(String args, Instrumentation all) throws Exception {
        byte[] file;
        try (var in = Object.class.getResourceAsStream("Character$Subset.class")) {
            file = in.readAllBytes();
        }
        for (int i = 0; i + 4 < file.length; i++) /* aload_0, getfield, areturn */
            if (file[i] == 0x2a && file[i + 1] == (byte)0xb4 && file[i + 4] == (byte)0xb0)
                file[i] = 0x03; /* iconst_0 */
        try {
            all.redefineClasses(new ClassDefinition(Character.Subset.class, file));
        } catch (VerifyError e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        System.out.println("done");
    }
}
