/* SPDX-License-Identifier: MIT */
// vm: -XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames
/* Stack traces with the frames of hidden classes. */
import java.util.function.BinaryOperator;

public class HiddenFrames {
    static void show(Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
            for (StackTraceElement element : e.getStackTrace())
                System.out.println(element.toString().replaceAll("0x[0-9a-f]+", "N"));
        }
    }

    public static void main(String[] args) {
        BinaryOperator<String> concat = String::concat;
        show(() -> {
            throw new IllegalStateException("in a lambda");
        });
        show(() -> concat.apply(null, "x"));
    }
}
