/* SPDX-License-Identifier: MIT */
/* minivm/vm/vm.c -- the state that all threads share. */

#include "vm/vm.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/events.h"
#include "base/mem.h"
#include "base/os.h"
#include "vm/exception.h"
#include "vm/loader.h"
#include "vm/module.h"
#include "vm/monitor.h"
#include "vm/refs.h"
#include "vm/safepoint.h"
#include "vm/string.h"

struct vm *the_vm;

uint64_t events_wanted;
struct event_hooks event_hooks;

enum vm_phase
vm_get_phase(const struct vm *vm)
{
    return (enum vm_phase)__atomic_load_n(&vm->phase, __ATOMIC_ACQUIRE);
}

void
vm_log(const char *tags, const char *format, ...)
{
    FILE *to = the_vm->options.log ? the_vm->options.log : stdout;
    char *text;
    va_list args;

    va_start(args, format);
    text = text_vprintf(format, args);
    va_end(args);
    fprintf(to, "[%.3fs][%s] %s\n",
            (double)(os_nanos() - (int64_t)the_vm->start_nanos) / 1e9, tags, text);
    fflush(to);
    mem_free(text);
}

void
vm_log_native(const struct method *m, const char *before, const char *after)
{
    if (the_vm->options.verbose_jni)
        vm_log("debug][jni,resolve", "[%s native method %pC.%s%s]", before, m->class,
               m->name->bytes, after);
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
    monitor_init(vm);
    frame_roots_init(vm);
}
