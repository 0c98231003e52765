/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/agents.c -- agent libraries (JVM TI "Agent Start-Up", "Agent
 * Shutdown", "Statically Linked Agents"). */

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "jni/entry.h"
#include "jvmti/env.h"
#include "jvmti/floor.h"
#include "vm/crash.h"

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);
typedef void JNICALL unload_fn(JavaVM *vm);

/* The same library may be started again.  The list of those that were started is read
   without the lock. */
struct agent {
    char *name;                /* as statically linked entry points carry it */
    char *options;
    void *library;             /* of dlopen; NULL: statically linked */
    struct agent *_Atomic next;
};

static pthread_mutex_t agents_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct agent *_Atomic agents, *_Atomic *agents_end = &agents;

#define FOR_EACH_AGENT(a) \
    for (struct agent *a = atomic_load(&agents); a; a = atomic_load(&a->next))

static JavaVM *
java_vm(struct vm *vm)
{
    return (JavaVM *)&vm->jni_invoke;
}

/* ---- finding ---- */

/* The name that statically linked entry points carry: of a path, the file's without
   lib and .so. */
static char *
plain_name(const char *name, bool is_path)
{
    const char *base = is_path && strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

    if (is_path && !strncmp(base, "lib", 3))
        base += 3;
    size_t length = strlen(base);
    if (is_path && length > 3 && !strcmp(base + length - 3, ".so"))
        length -= 3;
    return mem_strndup(base, length);
}

/* An agent's function: of its library, or linked statically under its plain name. */
static void *
find_entry(const struct agent *a, const char *function)
{
    TEXTS(t);

    return a->library ? dlsym(a->library, function)
           : dlsym(RTLD_DEFAULT, own(&t, mem_printf("%s_%s", function, a->name)));
}

/* Loading runs the library's constructors, so the thread leaves the VM. */
static void *
open_at(struct thread *self, char *path, char **error)
{
    thread_begin_callout(self);
    void *library = os_library_open(path, error);
    thread_end_callout(self);
    mem_free(path);
    return library;
}

/* The JDK's own libraries come first, then what the dynamic linker finds. */
static void *
open_library(struct thread *self, const char *name, bool is_path, char **error)
{
    if (is_path)
        return open_at(self, mem_strdup(name), error);
    void *library = open_at(self, mem_printf("%s/lib/lib%s.so",
                                             self->vm->options.java_home, name), NULL);
    return library ? library : open_at(self, mem_printf("lib%s.so", name), error);
}

/* Fill one to be started; false when it is neither linked statically nor has a library,
   with *error (mem_free). */
static bool
find_agent(struct thread *self, const char *name, bool is_path, struct agent *a,
           char **error)
{
    *a = (struct agent){ .name = plain_name(name, is_path) };
    if (!find_entry(a, "Agent_OnLoad"))
        a->library = open_library(self, name, is_path, error);
    return a->library || !*error;
}

static void
add_agent(const struct agent *started, const char *options)
{
    struct agent *a = mem_calloc(1, sizeof *a);

    a->name = mem_strdup(started->name);
    a->options = mem_strdup(options ? options : "");
    a->library = started->library;
    pthread_mutex_lock(&agents_mutex);
    atomic_store(agents_end, a);
    agents_end = &a->next;
    pthread_mutex_unlock(&agents_mutex);
}

static bool
is_started(const struct agent *one)
{
    FOR_EACH_AGENT(a)
        if (a->library == one->library && (a->library || !strcmp(a->name, one->name)))
            return true;
    return false;
}

/* ---- start-up ---- */

static bool
fail(const char *format, const char *name, const char *detail)
{
    printf("Error occurred during initialization of VM\n");
    printf(format, name, detail);
    putchar('\n');
    return false;
}

/* An agent without options gets an empty string (JVM TI "Agent Start-Up"), where
   HotSpot passes NULL.  What it leaves pending is dropped: its result says what
   failed. */
static jint
call_start(struct thread *self, const char *name, start_fn *start, const char *options)
{
    char *copy = mem_strdup(options ? options : "");
    struct ref_mark mark = ref_mark(self);
    struct outcall call;

    outcall_begin(self, &call, name, (void (*)(void))start);
    thread_begin_callout(self);
    jint result = start(java_vm(self->vm), copy, NULL);
    thread_end_callout(self);
    outcall_end(self, &call);
    self->exception = NULL;
    ref_release(self, mark);
    mem_free(copy);
    return result;
}

static bool
load_agent(struct thread *self, const struct agent_option *option)
{
    TEXTS(t);
    char *error = NULL;
    struct agent a;
    bool is_there = find_agent(self, option->name, option->is_path, &a, &error);

    own(&t, error);
    own(&t, a.name);
    if (!is_there)
        return fail(option->is_path ? "Could not find agent library %s in absolute path, "
                                      "with error: %s"
                                    : "Could not find agent library %s on the library "
                                      "path, with error: %s",
                    option->name, error);
    static const char entry[] = "Agent_OnLoad";
    start_fn *start = (start_fn *)find_entry(&a, entry);
    if (!start)
        return fail("Could not find Agent_OnLoad function in the agent library: %s",
                    option->name, NULL);
    add_agent(&a, option->options);
    return call_start(self, entry, start, option->options) == JNI_OK
           || fail("agent library failed to init: %s", option->name, NULL);
}

/* Natives may be in an agent (JVM TI "Agent Command Line Options"). */
static void *
find_in_agents(const char *symbol)
{
    FOR_EACH_AGENT(a) {
        void *f = dlsym(a->library ? a->library : RTLD_DEFAULT, symbol);
        if (f)
            return f;
    }
    return NULL;
}

bool
jvmti_load_agents(struct thread *self)
{
    native_set_agent_lookup(find_in_agents);
    for (const struct agent_option *o = self->vm->options.agents; o; o = o->next)
        if (!load_agent(self, o))
            return false;
    vm_set_phase(self->vm, VM_PHASE_PRIMORDIAL);
    jvmti_update_events(self);
    return true;
}

/* ---- start-up in the live phase ---- */

/* The library behind -javaagent: each jar is an agent. */
static bool
is_instrument(const char *name, bool is_path)
{
    return !is_path && !strcmp(name, "instrument");
}

/* JVM TI "Agent Start-Up (Live phase)": one warning for each agent.  A Java agent's
   name is the jar that the options begin with. */
static void
warn(const struct vm *vm, const char *name, bool is_path, const char *options)
{
    bool is_java = is_instrument(name, is_path);
    const char *what = is_java ? options : name;
    int length = (int)(is_java ? strcspn(what, "=") : strlen(what));

    if (vm->options.dynamic_agents > 0)
        return;
    fprintf(stderr, "WARNING: A %s agent has been loaded dynamically (%.*s)\n"
                    "WARNING: If a serviceability tool is in use, please run with "
                    "-XX:+EnableDynamicAgentLoading to hide this warning\n%s"
                    "WARNING: Dynamic loading of agents will be disallowed by default "
                    "in a future release\n",
            is_java ? "Java" : "JVM TI", length, what,
            is_java ? "WARNING: If a serviceability tool is not in use, please run "
                      "with -Djdk.instrument.traceUsage for more information\n"
                    : "");
}

int
jvmti_attach_agent(struct thread *self, const char *name, bool is_path,
                   const char *options, struct buf *out)
{
    TEXTS(t);
    char *error = NULL;
    struct agent a;
    bool is_there = find_agent(self, name, is_path, &a, &error);

    own(&t, error);
    own(&t, a.name);
    if (!is_there) {
        buf_printf(out, "%s was not loaded.\n%s\n", name, error);
        return -1;
    }
    if (!is_started(&a) || is_instrument(name, is_path))
        warn(self->vm, name, is_path, options);
    static const char entry[] = "Agent_OnAttach";
    start_fn *start = (start_fn *)find_entry(&a, entry);
    if (!start) {
        buf_printf(out, "Agent_OnAttach is not available in %s\n", name);
        if (a.library)
            dlclose(a.library);
        return -1;
    }
    jint result = call_start(self, entry, start, options);
    if (result == JNI_OK)
        add_agent(&a, options);
    buf_printf(out, "return code: %d\n", (int)result);
    return 0;
}

/* ---- the report of a crash ---- */

static void
print_agents(struct report *r, const struct crash *c)
{
    const struct agent_option *options = the_vm ? the_vm->options.agents : NULL;

    (void)c;
    if (!options && !atomic_load(&agents))
        report_text(r, "There are none.\n");
    for (const struct agent_option *o = options; o; o = o->next)
        report_print(r, "asked for: %s%s%s%s\n",
                     o->is_path ? "-agentpath:" : "-agentlib:", o->name,
                     o->options ? "=" : "", o->options ? o->options : "");
    FOR_EACH_AGENT(a) {
        struct link_map *map = a->library;
        report_print(r, "started:   %s, of %s, with the options \"%s\"\n", a->name,
                     map ? map->l_name : "the program itself", a->options);
    }
}

void
jvmti_init_agents(void)
{
    crash_add_section("Agents", print_agents);
}

/* ---- the end ---- */

void
jvmti_unload_agents(struct thread *self)
{
    pthread_mutex_lock(&agents_mutex);
    struct agent *all = atomic_exchange(&agents, NULL);
    agents_end = &agents;
    pthread_mutex_unlock(&agents_mutex);
    for (const struct agent *a = all; a; a = atomic_load(&a->next)) {
        unload_fn *unload = (unload_fn *)find_entry(a, "Agent_OnUnload");
        if (!unload)
            continue;
        struct outcall call;
        outcall_begin(self, &call, "Agent_OnUnload", (void (*)(void))unload);
        thread_begin_callout(self);
        unload(java_vm(self->vm));
        thread_end_callout(self);
        outcall_end(self, &call);
    }
}
