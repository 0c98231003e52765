/* SPDX-License-Identifier: MIT */
/* minivm/jdk/flags.h -- the -XX options: all that the JDK's own VM has, and ours.
 *
 * A flag that the VM honours lives in struct vm_options.  Of the others, which a command
 * line written for HotSpot may have, the value is kept as text, so that tools see what
 * was given.  There is one VM in a process, so that one table is enough. */

#ifndef MINIVM_JDK_FLAGS_H
#define MINIVM_JDK_FLAGS_H

#include "base/buf.h"
#include "vm/vm.h"

/* Names, types and locks are the JDK's. */
struct flag {
    const char *name;
    const char *type;              /* bool, int, uint, intx, uintx, size_t, uint64_t,
                                      double, ccstr, ccstrlist */
    const char *lock;              /* product, manageable; diagnostic, experimental: only
                                      behind -XX:+Unlock…VMOptions */
    const char *initial;           /* value, as text */
};

/* Who gave the value; numbered as in JMM. */
enum flag_origin {
    FLAG_BY_DEFAULT = 1, FLAG_BY_COMMAND_LINE, FLAG_BY_MANAGEMENT, FLAG_BY_ENVIRONMENT,
    FLAG_BY_FILE, FLAG_BY_VM, FLAG_BY_ATTACH
};

extern const struct flag flags[];
extern const size_t flag_count;
#define FOR_EACH_FLAG(f) \
    for (const struct flag *f = flags; f < flags + flag_count; f++)

/* NULL when there is none with that name. */
const struct flag *flag_find(const char *name, size_t length);
static inline bool
flag_is_bool(const struct flag *f)
{
    return !__builtin_strcmp(f->type, "bool");
}

static inline bool
flag_is_text(const struct flag *f)
{
    return !__builtin_strncmp(f->type, "ccstr", 5);
}

static inline bool
flag_is_double(const struct flag *f)
{
    return !__builtin_strcmp(f->type, "double");
}

/* May it be changed while the VM runs? */
bool flag_is_manageable(const struct flag *f);
/* Does it need an option that unlocks it, and was that not given? */
bool flag_is_locked(const struct vm_options *o, const struct flag *f);
/* Does the VM do what the flag says? */
bool flag_is_honoured(const struct flag *f);

enum flag_origin flag_origin(const struct vm_options *o, const struct flag *f);
/* "command line", "default"… */
const char *flag_origin_text(enum flag_origin origin);

/* The value: true, false, a number, or text. */
void flag_print_value(struct buf *out, const struct vm_options *o, const struct flag *f);
/* As on the command line: -XX:+ClassUnloading, -XX:MaxHeapSize=1048576. */
void flag_print(struct buf *out, const struct vm_options *o, const struct flag *f);
/* The number of a flag that is one or a bool. */
int64_t flag_number(const struct vm_options *o, const struct flag *f);

/*
 * Give the flag a value, which is text as behind '=' on the command line, or true or
 * false.  FLAG_MALFORMED: it is no value of the flag's type.
 */
enum flag_result { FLAG_SET, FLAG_MALFORMED, FLAG_OUT_OF_RANGE };
enum flag_result flag_set(struct vm_options *o, const struct flag *f, const char *text,
                          enum flag_origin origin);
/* The least and the greatest value, as text; false when there is no range. */
bool flag_range(const struct flag *f, const char **low, const char **high);
/* While the VM runs, as tools ask for; text may be NULL.  False with the reason, in
   HotSpot's words, in problem. */
bool flag_change(struct vm_options *o, const char *name, const char *text,
                 enum flag_origin origin, struct buf *problem);

/*
 * A number as HotSpot takes it: digits, perhaps hexadecimal, and k, m, g or t.
 */
bool parse_size(const char *text, size_t *size);

#endif
