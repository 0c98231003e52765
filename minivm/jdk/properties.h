/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.h -- the system properties that the VM sets, and the -XX
 * options that it honours, for tools to read. */

#ifndef MINIVM_JDK_PROPERTIES_H
#define MINIVM_JDK_PROPERTIES_H

#include "base/buf.h"
#include "vm/vm.h"

/* Adds what the command line did not set to vm->options.properties; what it may not
   set (java.vm.name and its like) replaces it. */
void properties_init(struct vm *vm);

struct system_property *property_find(const struct vm_options *o, const char *key);
/* Its value, or NULL. */
const char *property_value(const struct vm_options *o, const char *key);
/* Add a property, or replace its value, which is taken over (mem_free). */
struct system_property *property_set(struct vm_options *o, const char *key,
                                     char *value);

/* The VM's arguments in one line; mem_free. */
char *vm_arguments(const struct vm_options *o);

/* VM.version and java.vm.version. */
extern const char minivm_version[];

/* ---- -XX options ---- */

struct vm_flag {
    const char *name;
    size_t offset;                 /* in struct vm_options */
    char type;                     /* Z: bool, C: choice (below 0: off), i: int,
                                      J: size_t, s: text, l: lines of text */
};

enum { VM_FLAG_COUNT = 31 };
extern const struct vm_flag vm_flags[VM_FLAG_COUNT]; /* by name */

const struct vm_flag *flag_find(const char *name);
static inline bool
flag_is_bool(const struct vm_flag *f)
{
    return f->type == 'Z' || f->type == 'C';
}

static inline bool
flag_is_text(const struct vm_flag *f)
{
    return f->type == 's' || f->type == 'l';
}

/* A text, "" when there is none; another line of lines, or a text in place of the one
   before. */
const char *flag_text(const struct vm_options *o, const struct vm_flag *f);
void flag_set_text(struct vm_options *o, const struct vm_flag *f, const char *text);
/* A bool's 0 or 1, or the number; f is no text. */
int64_t flag_value(const struct vm_options *o, const struct vm_flag *f);
/* What does not fit becomes the highest number. */
void flag_set(struct vm_options *o, const struct vm_flag *f, int64_t value);
/* Was -XX: with that name among the arguments? */
bool flag_was_given(const struct vm_options *o, const char *name);
/* As on the command line: -XX:+ClassUnloading, -XX:MaxHeapSize=1048576. */
void flag_print(struct buf *out, const struct vm_options *o, const struct vm_flag *f);

#endif
