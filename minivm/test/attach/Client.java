/* SPDX-License-Identifier: MIT */

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;

/** Client PID DIRECTORY: the attach API, and what it reports. */
public class Client {
    interface Step {
        void run() throws Exception;
    }

    static void step(String what, Step step) {
        try {
            step.run();
            System.out.println(what + ": done");
        } catch (AgentInitializationException e) {
            System.out.println(what + ": " + e + ", " + e.returnValue());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(args[0]);
        String dir = args[1] + "/", agent = dir + "libagent.so", jar = dir + "agent.jar";

        System.out.println("system: " + vm.getSystemProperties().getProperty("given"));
        System.out.println("agent: " + vm.getAgentProperties()
                                           .getProperty("sun.java.command"));
        System.out.println("arguments: " + vm.getAgentProperties()
                                               .getProperty("sun.jvm.args"));
        step("path", () -> vm.loadAgentPath(agent, "first"));
        step("again", () -> vm.loadAgentPath(agent, "second"));
        step("no options", () -> vm.loadAgentPath(agent, null));
        step("failing", () -> vm.loadAgentPath(agent, "fail"));
        step("throwing", () -> vm.loadAgentPath(agent, "throw"));
        step("no start-up function", () -> vm.loadAgentPath(dir + "libnone.so", "x"));
        step("no file", () -> vm.loadAgentPath("/nowhere/libx.so", "x"));
        step("no library", () -> vm.loadAgentLibrary("tiforge_none", "x"));
        step("Java", () -> vm.loadAgent(jar, "one"));
        step("Java again", () -> vm.loadAgent(jar, null));
        step("Java throwing", () -> vm.loadAgent(jar, "throw"));
        step("Java without class", () -> vm.loadAgent(dir + "bad.jar", "x"));
        step("Java without file", () -> vm.loadAgent("/nowhere/x.jar", "x"));
        vm.detach();
        for (VirtualMachineDescriptor d : VirtualMachine.list())
            if (d.id().equals(args[0]))
                System.out.println("listed: " + d.displayName());
    }
}
