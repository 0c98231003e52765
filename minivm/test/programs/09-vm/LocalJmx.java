/* SPDX-License-Identifier: MIT */
// vm: -Dcom.sun.management.jmxremote --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
/* The management agent runs, and its local address takes connections. */
import java.lang.management.ManagementFactory;
import java.util.Properties;
import javax.management.*;
import javax.management.remote.*;

public class LocalJmx {
    public static void main(String[] args) throws Exception {
        Properties p = (Properties)Class.forName("jdk.internal.vm.VMSupport")
            .getMethod("getAgentProperties").invoke(null);
        String address =
            p.getProperty("com.sun.management.jmxremote.localConnectorAddress");
        System.out.println(address != null && address.startsWith("service:jmx:rmi://"));
        try (JMXConnector c = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            MBeanServerConnection server = c.getMBeanServerConnection();
            System.out.println(
                server.getAttribute(new ObjectName("java.lang:type=Runtime"), "Pid")
                    .equals(ProcessHandle.current().pid()));
            System.out.println(server.isRegistered(new ObjectName(
                ManagementFactory.THREAD_MXBEAN_NAME)));
            System.out.println(server.isInstanceOf(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "javax.management.DynamicMBean"));
        }
        System.out.println(
            ModuleLayer.boot().findModule("jdk.management.agent").isPresent());
        System.exit(0);
    }
}
