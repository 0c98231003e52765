// SPDX-License-Identifier: @license@
// @copyright@
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;

/** Attaches the agent to its own VM, with each argument as the options. */
public class Target {
    static class First {
    }

    static class Second {
    }

    static class Third {
    }

    public static void main(String[] args) throws Exception {
        System.out.println(new First().getClass().getName());
        VirtualMachine vm = null;
        if (args.length > 1)
            try {
                vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
            } catch (Exception e) {
                System.out.println("no attach: " + e);
                return;
            }
        for (int i = 1; i < args.length; i++) {
            try {
                vm.loadAgentPath(args[0], args[i]);
                System.out.println("attached " + args[i]);
            } catch (AgentInitializationException e) {
                System.out.println("failed " + args[i] + " " + e.returnValue());
            }
            if (i == 1)
                System.out.println(new Second().getClass().getName());
        }
        System.out.println(new Third().getClass().getName());
    }
}
