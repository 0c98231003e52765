/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_agent.c -- the class library's agent for JMX connections, which
 * -Dcom.sun.management… and jcmd's ManagementAgent commands start. */

#include "jdk/jmm.h"
#include "jdk/jvm.h"

bool
java_load_module(struct thread *self, const char *name)
{
    SCOPE(self);
    union slot arg = { .ref = keep(self, string_from_utf8(self, name)) }, module;
    struct class *c = class_load_boot(self, "jdk/internal/module/Modules");

    return arg.ref && java_call_named(self, c, "loadModule",
                                      "(Ljava/lang/String;)Ljava/lang/Module;", &arg,
                                      &module);
}

/* A static method of the agent. */
static bool
agent_call(struct thread *self, const char *method, const char *descriptor,
           const union slot *args, union slot *result)
{
    struct class *c = java_load_module(self, "jdk.management.agent")
                          ? class_load_boot(self, "jdk/internal/agent/Agent") : NULL;

    return java_call_named(self, c, method, descriptor, args, result);
}

bool
management_agent_start(struct thread *self)
{
    return agent_call(self, "startAgent", "()V", NULL, NULL);
}

DIAGNOSTIC_COMMAND(management_agent_start_local)
{
    agent_call(self, "startLocalManagementAgent", "()V", NULL, NULL);
}

/* The values go with the names that they have as properties. */
DIAGNOSTIC_COMMAND(management_agent_start_remote)
{
    const struct diagnostic_command *c = diagnostic_find("ManagementAgent.start");
    struct buf b = { 0 };
    union slot arg;
    TEXTS(t);

    for (int i = 0; i < c->info.argument_count; i++)
        if (values[i])
            buf_printf(&b, "%scom.sun.management.%s=%s", b.length ? "," : "",
                       c->arguments[i].name, values[i]);
    buf_append_u1(&b, 0);
    arg.ref = keep(self, string_from_utf8(self, own(&t, buf_steal(&b, NULL))));
    if (arg.ref)
        agent_call(self, "startRemoteManagementAgent", "(Ljava/lang/String;)V", &arg,
                   NULL);
}

DIAGNOSTIC_COMMAND(management_agent_stop)
{
    agent_call(self, "stopRemoteManagementAgent", "()V", NULL, NULL);
}

DIAGNOSTIC_COMMAND(management_agent_status)
{
    union slot status;
    TEXTS(t);

    if (agent_call(self, "getManagementAgentStatus", "()Ljava/lang/String;", NULL,
                   &status))
        buf_printf(out, "%s\n", own(&t, string_to_utf8(status.ref)));
}
