/* SPDX-License-Identifier: MIT */
import java.lang.instrument.Instrumentation;

public class Premain {
    public static void premain(String options, Instrumentation i) {
        JavaAgent.options = "premain " + options;
        JavaAgent.instrumentation = i;
    }
}
