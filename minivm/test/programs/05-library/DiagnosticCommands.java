/* SPDX-License-Identifier: MIT */
/* The commands of jcmd as a bean: which there are, their arguments, their results. */
import java.lang.management.ManagementFactory;
import java.util.*;
import javax.management.*;

public class DiagnosticCommands {
    static final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    static String run(ObjectName bean, String operation, String... args) {
        try {
            Object[] values = args.length == 0 && !operation.equals("help")
                                  ? new Object[0] : new Object[] { args };
            String[] types = values.length == 0 ? new String[0]
                                                : new String[] { String[].class.getName() };
            return (String) server.invoke(bean, operation, values, types);
        } catch (Exception e) {
            Throwable t = e;
            while (t.getCause() != null)
                t = t.getCause();
            return t.toString();
        }
    }

    public static void main(String[] args) throws Exception {
        ObjectName bean = new ObjectName("com.sun.management:type=DiagnosticCommand");
        Set<String> both = Set.of("gcClassHistogram", "gcRun", "threadPrint", "vmFlags",
                                  "vmCommandLine", "vmSystemProperties", "vmUptime",
                                  "vmVersion", "help", "jvmtiDataDump", "jvmtiAgentLoad");
        Map<String, MBeanOperationInfo> found = new TreeMap<>();

        for (MBeanOperationInfo o : server.getMBeanInfo(bean).getOperations())
            if (both.contains(o.getName()))
                found.put(o.getName(), o);
        for (MBeanOperationInfo o : found.values()) {
            Descriptor d = o.getDescriptor();
            System.out.println(o.getName() + ": " + o.getDescription() + " "
                               + o.getReturnType() + " " + o.getSignature().length);
            for (String key : List.of("dcmd.name", "dcmd.vmImpact", "dcmd.enabled",
                                      "dcmd.permissionClass", "dcmd.permissionName",
                                      "dcmd.permissionAction"))
                System.out.println("  " + key + " " + d.getFieldValue(key));
            Descriptor arguments = (Descriptor) d.getFieldValue("dcmd.arguments");
            if (arguments == null)
                continue;
            for (String name : new TreeSet<>(List.of(arguments.getFieldNames()))) {
                if (name.equals("-parallel"))
                    continue;
                Descriptor a = (Descriptor) arguments.getFieldValue(name);
                System.out.println("  " + name);
                for (String field : new TreeSet<>(List.of(a.getFieldNames())))
                    System.out.println("    " + field + " " + a.getFieldValue(field));
            }
        }
        System.out.println("[" + run(bean, "gcRun") + "]");
        System.out.println(run(bean, "help", "VM.uptime"));
        System.out.println(run(bean, "help", "no.such"));
        System.out.println(run(bean, "vmUptime").strip().matches("[0-9]+\\.[0-9]{3} s"));
        System.out.println(run(bean, "vmUptime", "-date").contains("T"));
        System.out.println(run(bean, "vmUptime", "bogus"));
        System.out.println(run(bean, "noSuch"));
        System.out.println(run(bean, "threadPrint", "-l").contains("DiagnosticCommands.main"));
        System.out.println(run(bean, "vmCommandLine").lines()
                               .filter(l -> l.startsWith("java_command")).findFirst());
    }
}
