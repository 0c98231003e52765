/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_agent.c -- the class library's agent for JMX connections.
 *
 * The agent (module jdk.management.agent) opens a port at which tools such as jconsole
 * reach the beans of java.lang.management. -Dcom.sun.management... starts it with the
 * VM, jcmd's ManagementAgent commands start and stop it later.  The module is resolved
 * only when it is needed. */

#include "jdk/diagnostic.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "runtime/call.h"

/* Makes a module part of the boot layer, if it is not; false with an exception
   pending. */
bool
java_load_module(struct thread *self, const char *name)
{
    HANDLE_SCOPE(self);
    union slot arg = { .ref = handle_new(self, string_from_utf8(self, name)) }, module;
    struct class *c = class_load_boot(self, "jdk/internal/module/Modules");

    return arg.ref
           && java_call_named(self, c, "loadModule",
                              "(Ljava/lang/String;)Ljava/lang/Module;", &arg, &module);
}

/* Calls a static method of the agent.  False with an exception pending.  Loads the
   agent's module and class first, if they are not there yet.  result may be NULL for a
   method without one. */
static bool
agent_call(struct thread *self, const char *method, const char *descriptor,
           const union slot *args, union slot *result)
{
    struct class *c = java_load_module(self, "jdk.management.agent")
                          ? class_load_boot(self, "jdk/internal/agent/Agent")
                          : NULL;

    return java_call_named(self, c, method, descriptor, args, result);
}

bool
management_agent_start(struct thread *self)
{
    return agent_call(self, "startAgent", "()V", NULL, NULL);
}

void
management_agent_start_local(struct thread *self, const char *const *values UNUSED,
                             struct buf *out UNUSED)
{
    agent_call(self, "startLocalManagementAgent", "()V", NULL, NULL);
}

/*
 * The arguments are the properties of com.sun.management; the agent gets those that
 * were given as one text NAME=VALUE,NAME=VALUE.
 */
void
management_agent_start_remote(struct thread *self, const char *const *values,
                              struct buf *out UNUSED)
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
    arg.ref = handle_new(self, string_from_utf8(self, own(&t, buf_steal(&b, NULL))));
    if (arg.ref)
        agent_call(self, "startRemoteManagementAgent", "(Ljava/lang/String;)V", &arg,
                   NULL);
}

void
management_agent_stop(struct thread *self, const char *const *values UNUSED,
                      struct buf *out UNUSED)
{
    agent_call(self, "stopRemoteManagementAgent", "()V", NULL, NULL);
}

void
management_agent_status(struct thread *self, const char *const *values UNUSED,
                        struct buf *out)
{
    union slot status;
    TEXTS(t);

    if (agent_call(self, "getManagementAgentStatus", "()Ljava/lang/String;", NULL,
                   &status))
        buf_printf(out, "%s\n", own(&t, string_to_utf8(status.ref)));
}
