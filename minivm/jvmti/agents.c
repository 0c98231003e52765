/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/agents.c -- agent libraries (JVM TI "Agent Start-Up", "Agent
 * Shutdown", "Statically Linked Agents"). */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jni/entry.h"
#include "jni/jni_floor.h"
#include "jvmti/env.h"
#include "jvmti/floor.h"

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);
typedef void JNICALL unload_fn(JavaVM *vm);

struct agent {
    char *name;
    void *library;             /* of dlopen; NULL: statically linked */
    struct agent *next;
};

static struct agent *agents, **agents_end = &agents;

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
    size_t length = strlen(base);

    if (is_path && !strncmp(base, "lib", 3)) {
        base += 3;
        length -= 3;
    }
    if (is_path && length > 3 && !strcmp(base + length - 3, ".so"))
        length -= 3;
    return mem_strndup(base, length);
}

static void *
static_entry(const char *function, const char *name)
{
    char *symbol = mem_printf("%s_%s", function, name);
    void *entry = dlsym(RTLD_DEFAULT, symbol);

    mem_free(symbol);
    return entry;
}

/* The JDK's own libraries come first, then what the dynamic linker finds. */
static void *
open_library(const struct vm *vm, const char *name, bool is_path, char **error)
{
    void *library = NULL;

    if (is_path) {
        library = dlopen(name, RTLD_LAZY);
    } else {
        char *path = mem_printf("%s/lib/lib%s.so", vm->options.java_home, name);
        library = dlopen(path, RTLD_LAZY);
        mem_free(path);
        if (!library) {
            path = mem_printf("lib%s.so", name);
            library = dlopen(path, RTLD_LAZY);
            mem_free(path);
        }
    }
    if (!library)
        *error = mem_strdup(dlerror());
    return library;
}

static struct agent *
add_agent(const char *name, void *library)
{
    struct agent *a = mem_calloc(1, sizeof *a);

    a->name = mem_strdup(name);
    a->library = library;
    *agents_end = a;
    agents_end = &a->next;
    return a;
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

static bool
call_on_load(struct thread *self, const struct agent_option *option, start_fn *start)
{
    char *options = mem_strdup(option->options ? option->options : "");

    thread_leave_vm(self);
    jint result = start(java_vm(self->vm), options, NULL);
    thread_enter_vm(self);
    mem_free(options);
    return result == JNI_OK
           || fail("agent library failed to init: %s", option->name, NULL);
}

static bool
load_agent(struct thread *self, const struct agent_option *option)
{
    char *name = plain_name(option->name, option->is_path), *error = NULL;
    start_fn *start = (start_fn *)static_entry("Agent_OnLoad", name);
    void *library = NULL;
    bool good = true;

    if (!start) {
        library = open_library(self->vm, option->name, option->is_path, &error);
        if (!library)
            good = fail(option->is_path ? "Could not find agent library %s in absolute "
                                          "path, with error: %s"
                                        : "Could not find agent library %s on the "
                                          "library path, with error: %s",
                        option->name, error);
        else if (!(start = (start_fn *)dlsym(library, "Agent_OnLoad")))
            good = fail("Could not find Agent_OnLoad function in the agent library: %s",
                        option->name, NULL);
    }
    if (good) {
        add_agent(name, library);
        good = call_on_load(self, option, start);
    }
    mem_free(error);
    mem_free(name);
    return good;
}

/* Natives may be in an agent (JVM TI "Agent Command Line Options"). */
static void *
find_in_agents(const char *symbol)
{
    for (const struct agent *a = agents; a; a = a->next) {
        void *f = a->library ? dlsym(a->library, symbol) : NULL;
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

void
jvmti_unload_agents(struct thread *self)
{
    for (const struct agent *a = agents; a; a = a->next) {
        unload_fn *unload = (unload_fn *)static_entry("Agent_OnUnload", a->name);
        if (!unload && a->library)
            unload = (unload_fn *)dlsym(a->library, "Agent_OnUnload");
        if (!unload)
            continue;
        thread_leave_vm(self);
        unload(java_vm(self->vm));
        thread_enter_vm(self);
    }
}
