/* SPDX-License-Identifier: MIT */
/* minivm/runtime/vm.c -- the state that all threads share. */

#include "runtime/vm.h"

#include <stdarg.h>

#include "base/events.h"
#include "base/mem.h"
#include "base/os.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "linking/module.h"
#include "runtime/exception.h"
#include "runtime/refs.h"
#include "runtime/string.h"
#include "threads/continuation.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"
#include "threads/virtual_thread.h"

struct vm *the_vm;

/* Declared in base/events.h: which events somebody listens to, and how they are sent.
   Global, so that a place where an event may happen tests one word. */
uint64_t events_wanted;
struct event_hooks event_hooks;

int
vm_processor_count(const struct vm *vm)
{
    return vm->options.active_processors > 0 ? vm->options.active_processors
                                             : os_processor_count();
}

void
vm_log(enum log_set set, enum log_level level, const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    text = message_vprintf(format, args);
    va_end(args);
    log_write(set, level, text);
    mem_free(text);
}

void
vm_log_native(const struct method *m, const char *before, const char *after)
{
    if (log_wanted(LOG_JNI_RESOLVE, LOG_DEBUG))
        vm_log(LOG_JNI_RESOLVE, LOG_DEBUG, "[%s native method %pC.%s%s]", before,
               m->class, m->name->bytes, after);
}

void
vm_set_phase(struct vm *vm, enum vm_phase phase)
{
    __atomic_store_n(&vm->phase, (uint32_t)phase, __ATOMIC_RELEASE);
}

void
vm_init_floor(struct vm *vm)
{
    safepoint_init(vm);
    loader_init(vm);
    module_init(vm);
    string_table_init(vm);
    refs_init(vm);
    threads_init(vm);
    continuations_init(vm);
    virtual_threads_init(vm);
    monitor_init(vm);
    frame_roots_init(vm);
}
