// SPDX-License-Identifier: MIT
import java.lang.instrument.Instrumentation;

/** Started by the manifest's Launcher-Agent-Class. */
public class Launched {
    public static void agentmain(String options, Instrumentation inst) {
        System.out.println("agentmain [" + options + "] "
                           + inst.isRetransformClassesSupported());
    }

    public static void main(String[] args) {
        System.out.println("main");
    }
}
