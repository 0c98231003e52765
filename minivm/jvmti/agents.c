/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/agents.c -- agent libraries (JVM TI "Agent Start-Up", "Agent
 * Shutdown", "Statically Linked Agents").
 *
 * An agent is started by its function Agent_OnLoad before the VM starts, for each
 * option -agentlib, -agentpath and -javaagent, or by Agent_OnAttach in the live phase,
 * when the attach mechanism asks for it.  It is linked into the program statically,
 * under names like Agent_OnLoad_<name>, or is in a library, which is loaded.  The
 * agents whose start was called are in a list, since Agent_OnUnload is called for each
 * of them at the end, native methods are looked up in their libraries, too, and the
 * report of a crash names them. */

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "base/symbolize.h"
#include "diagnostics/crash.h"
#include "jni/entry.h"
#include "jvmti/env.h"
#include "jvmti/floor.h"
#include "runtime/string.h"

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);
typedef void JNICALL unload_fn(JavaVM *vm);

struct agent {
    /* The part behind Agent_OnLoad_ if it is linked statically. */
    char *name;
    char *options;
    void *library; /* of dlopen; NULL: statically linked */
    void *checker; /* with -Xcheck:jvmti: of dlopen, what stands before the library */
    /* Of the checking layer: what it knows of the thread that has crashed; or NULL. */
    const char *JNICALL (*crash_text)(void);
    struct agent *_Atomic next;
};

/* The agents in the order in which they were started; one that was started twice is
   there twice.  The list is read without the mutex, which guards additions.  It belongs
   to the process, not to a VM: libraries do, and a crash may be reported without a
   VM. */
static pthread_mutex_t agents_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct agent *_Atomic agents, *_Atomic *agents_end = &agents;
/* Those whose Agent_OnUnload was called: it may crash. */
static struct agent *_Atomic unloaded;

#define FOR_EACH_AGENT(a) \
    for (struct agent *a = atomic_load(&agents); a; a = atomic_load(&a->next))

/* A JavaVM * of JNI is the address of the member jni_invoke (invocation.c: vm_of). */
static JavaVM *
java_vm(struct vm *vm)
{
    return (JavaVM *)&vm->jni_invoke;
}

/* ---- finding ---- */

/* Returns the name behind Agent_OnLoad_ for a statically linked agent: the agent's
   name, or the file's name without "lib" and ".so" if name is a path. */
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

/* Returns the agent's function of that name, from its library or from the program, or
   NULL. */
static void *
find_entry(const struct agent *a, const char *function)
{
    TEXTS(t);

    return a->library
               ? dlsym(a->library, function)
               : dlsym(RTLD_DEFAULT, own(&t, mem_printf("%s_%s", function, a->name)));
}

/* Loads a library and frees path.  The thread leaves the VM meanwhile, since the
   library's constructors run.  Returns the handle of dlopen, or NULL with the reason in
   *error (mem_free); error may be NULL. */
static void *
open_at(struct thread *self, char *path, char **error)
{
    thread_begin_downcall(self);
    void *library = os_library_open(path, error);
    thread_end_downcall(self);
    mem_free(path);
    return library;
}

/* Loads an agent's library: the file at a path; or by its name one of the JDK's own,
   and if there is none, what the dynamic linker finds.  Returns NULL with the reason in
   *error (mem_free). */
static void *
open_library(struct thread *self, const char *name, bool is_path, char **error)
{
    if (is_path)
        return open_at(self, mem_strdup(name), error);
    void *library = open_at(
        self, mem_printf("%s/lib/lib%s.so", self->vm->options.java_home, name), NULL);
    return library ? library : open_at(self, mem_printf("lib%s.so", name), error);
}

/* Fills *a for an agent that is to be started.  Returns false and sets *error
   (mem_free) if it is neither linked statically nor has a library.  a->name is memory
   of the caller (mem_free), also on failure. */
static bool
find_agent(struct thread *self, const char *name, bool is_path, struct agent *a,
           char **error)
{
    *a = (struct agent){ .name = plain_name(name, is_path) };
    if (!find_entry(a, "Agent_OnLoad"))
        a->library = open_library(self, name, is_path, error);
    return a->library || !*error;
}

/* Adds an agent to the list, which copies what it needs.  It is safe against threads
   that read the list, and the entry stays as long as the process. */
static void
add_agent(const struct agent *started, const char *options)
{
    struct agent *a = mem_calloc(1, sizeof *a);

    a->name = mem_strdup(started->name);
    a->options = mem_strdup(options ? options : "");
    a->library = started->library;
    a->checker = started->checker;
    if (a->checker || a->library)
        a->crash_text = (const char *JNICALL (*)(void))dlsym(
            a->checker ? a->checker : a->library, "tiforge_check_crash");
    pthread_mutex_lock(&agents_mutex);
    atomic_store(agents_end, a);
    agents_end = &a->next;
    pthread_mutex_unlock(&agents_mutex);
}

/* Returns true if the agent is in the list already.  Two entries are the same agent if
   they have the same library (dlopen returns one handle for one file), or, when linked
   statically, the same name. */
static bool
is_started(const struct agent *one)
{
    FOR_EACH_AGENT(a)
    if (a->library == one->library && (a->library || !strcmp(a->name, one->name)))
        return true;
    return false;
}

/* ---- start-up ---- */

/* Prints why the VM does not start, as HotSpot does; returns false.  format has a %s
   for name, the agent's, and may have a second one for detail. */
static bool
fail(const char *format, const char *name, const char *detail)
{
    printf("Error occurred during initialization of VM\n");
    printf(format, name, detail);
    putchar('\n');
    return false;
}

/* Adds the message of the pending exception to out as a line, if there is one. */
static void
add_message(struct thread *self, struct buf *out)
{
    const struct object *message = REF_FIELD(self->vm, self->exception,
                                             Throwable_detailMessage);
    TEXTS(t);

    if (message)
        buf_printf(out, "%s\n", own(&t, string_to_utf8(message)));
}

/* ---- -Xcheck:jvmti ---- */

/* The checking layer, libtiforge-check.so, beside libjvm.so where both are installed, or
   where they were built.  It is an agent that loads the one that it is told.  Returns NULL
   with a message if it is not there. */
static void *
open_checker(struct thread *self)
{
    static const char *const places[] = { "../check", "../../layer/.libs" };
    struct symbolized s;
    char *slash, *error = NULL;
    void *library = NULL;
    TEXTS(t);

    if (!symbolize_mapping((uintptr_t)open_checker, &s)
        || !(slash = strrchr(s.file, '/')))
        return NULL;
    for (size_t i = 0; !library && i < sizeof places / sizeof *places; i++)
        library = open_at(self,
                          mem_printf("%.*s/%s/libtiforge-check.so",
                                     (int)(slash - s.file), s.file, places[i]),
                          &error);
    own(&t, error);
    if (!library)
        fprintf(stderr, "minivm: -Xcheck:jvmti: cannot load the checks: %s\n",
                error ? error : "?");
    return library;
}

/* Puts the checking layer before the agent, if that is wanted and the agent has a library
   of its own.  Returns the options for the layer (mem_free), or NULL to go without. */
static char *
check_agent(struct thread *self, struct agent *a, const char *options)
{
    const struct link_map *map = a->library;

    if (!self->vm->options.check_jvmti || !map || strchr(map->l_name, ',')
        || strstr(map->l_name, "/libtiforge-check.so"))
        return NULL;
    a->checker = open_checker(self);
    return a->checker
               ? mem_printf("agent=%s,options=%s", map->l_name, options ? options : "")
               : NULL;
}

/* Calls Agent_OnLoad or Agent_OnAttach, named for the report of a crash, and returns
   its result.  An agent without options gets an empty string (JVM TI "Agent Start-Up"),
   where HotSpot passes NULL.  An exception that it leaves pending is dropped, since its
   result says whether it failed; its message, if it has one, goes to reason, unless that
   is NULL, as a line.  self is in the VM, and leaves it for the call. */
static jint
call_start(struct thread *self, const char *name, start_fn *start, const char *options,
           struct buf *reason)
{
    char *copy = mem_strdup(options ? options : "");
    struct ref_frame refs = ref_frame_begin(self);
    struct agent_call call;

    agent_call_begin(self, &call, name, (void (*)(void))start);
    thread_begin_downcall(self);
    jint result = start(java_vm(self->vm), copy, NULL);
    thread_end_downcall(self);
    agent_call_end(self, &call);
    if (reason && self->exception)
        add_message(self, reason);
    self->exception = NULL;
    ref_frame_end(self, refs);
    mem_free(copy);
    return result;
}

/* From this release on the message for an agent that fails names the function. */
static const struct releases with_named_entry = { 21, 0 };

/* Starts one agent of the command line: finds it, adds it to the list and calls its
   Agent_OnLoad.  The list has it already while that runs, and keeps it if it fails:
   Agent_OnUnload is called even then.  Returns false, with a message printed, if a step
   fails, and the VM does not start then. */
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
        return fail(option->is_path ? "Could not find agent library %s in absolute "
                                      "path, with error: %s"
                                    : "Could not find agent library %s on the library "
                                      "path, with error: %s",
                    option->name, error);
    static const char entry[] = "Agent_OnLoad";
    start_fn *start = (start_fn *)find_entry(&a, entry);
    if (!start)
        return fail("Could not find Agent_OnLoad function in the agent library: %s",
                    option->name, NULL);
    const char *checked = own(&t, check_agent(self, &a, option->options));
    if (checked)
        start = (start_fn *)dlsym(a.checker, entry);
    add_agent(&a, option->options);
    return call_start(self, entry, start, checked ? checked : option->options, NULL)
               == JNI_OK
           || fail(release_is_in(self->vm->profile->feature, with_named_entry)
                       ? "agent library failed Agent_OnLoad: %s"
                       : "agent library failed to init: %s",
                   option->name, NULL);
}

/* Looks up the function of a native method in the agents' libraries (JVM TI "Agent
   Command Line Options").  Returns NULL if none has it. */
static void *
find_in_agents(const char *symbol)
{
    FOR_EACH_AGENT(a)
    {
        void *f = dlsym(a->library ? a->library : RTLD_DEFAULT, symbol);
        if (f)
            return f;
    }
    return NULL;
}

/* Starts the agents of the command line, in order, and then begins the primordial
   phase.  Returns false, with a message printed, at the first that fails. */
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

/* Returns true for the library behind -javaagent, for which each jar is an agent.  The
   JDK's libinstrument. */
static bool
is_instrument(const char *name, bool is_path)
{
    return !is_path && !strcmp(name, "instrument");
}

/* In later releases the library "instrument" itself warns of Java agents (JEP 451). */
static const struct releases silent_instrument = { 0, 20 };

/* Warns of an agent that is started in the live phase (JVM TI "Agent Start-Up (Live
   phase)"), unless an option allows it.  A Java agent is named by its jar, with which
   the options begin. */
static void
warn_of_dynamic_agent(const struct vm *vm, const char *name, bool is_path,
                      const char *options)
{
    bool is_java = is_instrument(name, is_path);
    const char *what = is_java ? options : name;
    int length = (int)(is_java ? strcspn(what, "=") : strlen(what));

    if (vm->options.dynamic_agents > 0
        || (is_java && !release_is_in(vm->profile->feature, silent_instrument)))
        return;
    fprintf(stderr,
            "WARNING: A %s agent has been loaded dynamically (%.*s)\n"
            "WARNING: If a serviceability tool is in use, please run with "
            "-XX:+EnableDynamicAgentLoading to hide this warning\n%s"
            "WARNING: Dynamic loading of agents will be disallowed by default "
            "in a future release\n",
            is_java ? "Java" : "JVM TI", length, what,
            is_java ? "WARNING: If a serviceability tool is not in use, please run "
                      "with -Djdk.instrument.traceUsage for more information\n"
                    : "");
}

/* Loads an agent in the live phase and calls its Agent_OnAttach; what the tool that
   asked is to read goes to out.  The library of an agent that cannot be started is
   closed, but not of one whose function has run, since it may have left callbacks. */
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
        warn_of_dynamic_agent(self->vm, name, is_path, options);
    static const char entry[] = "Agent_OnAttach";
    start_fn *start = (start_fn *)find_entry(&a, entry);
    if (!start) {
        buf_printf(out, "Agent_OnAttach is not available in %s\n", name);
        if (a.library)
            dlclose(a.library);
        return -1;
    }
    struct buf reason = { 0 };
    const char *checked = own(&t, check_agent(self, &a, options));
    if (checked)
        start = (start_fn *)dlsym(a.checker, entry);
    jint result = call_start(self, entry, start, checked ? checked : options, &reason);
    if (result == JNI_OK)
        add_agent(&a, options);
    /* Tools read the first line only and show people the rest (libtiforge's agents leave
       there why they cannot start). */
    buf_printf(out, "return code: %d\n", (int)result);
    if (result != JNI_OK)
        buf_append(out, reason.data, reason.length);
    buf_release(&reason);
    return 0;
}

/* ---- the report of a crash ---- */

/* The first agent of a list that the checking layer knows of, or NULL. */
static struct agent *
find_checked(struct agent *a)
{
    while (a && !a->crash_text)
        a = atomic_load(&a->next);
    return a;
}

/* A section of the crash report: the agents that the options ask for, and those whose
   start was called.  Runs in a signal handler, so it takes no lock and no memory.  The
   handle of dlopen is a struct link_map, which has the path. */
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
    FOR_EACH_AGENT(a)
    {
        struct link_map *map = a->library;
        report_print(r, "started:   %s, of %s, with the options \"%s\"\n", a->name,
                     map ? map->l_name : "the program itself", a->options);
    }
    struct agent *checked = find_checked(atomic_load(&agents));
    if (!checked)
        checked = find_checked(atomic_load(&unloaded));
    if (checked)
        report_print(r, "\nChecked by tiforge check.  %s", checked->crash_text());
}

void
jvmti_init_agents(void)
{
    crash_add_section("Agents", print_agents);
}

/* ---- the end ---- */

/* Calls Agent_OnUnload of every agent in the list, which is emptied first, so that each
   is called once.  The libraries stay loaded: their threads may still run. */
void
jvmti_unload_agents(struct thread *self)
{
    pthread_mutex_lock(&agents_mutex);
    struct agent *all = atomic_exchange(&agents, NULL);
    agents_end = &agents;
    atomic_store(&unloaded, all);
    pthread_mutex_unlock(&agents_mutex);
    for (const struct agent *a = all; a; a = atomic_load(&a->next)) {
        unload_fn *unload = (unload_fn *)(a->checker
                                              ? dlsym(a->checker, "Agent_OnUnload")
                                              : find_entry(a, "Agent_OnUnload"));
        if (!unload)
            continue;
        struct agent_call call;
        agent_call_begin(self, &call, "Agent_OnUnload", (void (*)(void))unload);
        thread_begin_downcall(self);
        unload(java_vm(self->vm));
        thread_end_downcall(self);
        agent_call_end(self, &call);
    }
}
