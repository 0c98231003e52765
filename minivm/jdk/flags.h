/* SPDX-License-Identifier: MIT */
/* minivm/jdk/flags.h -- the VM flags: the options -XX:NAME=VALUE and -XX:+NAME, all
 * that the JDK's own VM has, and ours.
 *
 * The table (flags.def) says of each flag which releases of the JDK have it, its type,
 * its default and its range.  A flag that this VM acts on
 * is honoured: its value lives in a member of struct vm_options, which the rest of the
 * VM reads.  Of the others, which a command line written for HotSpot may have, the
 * value is only kept as text, so that tools see what was given.
 *
 * Beside the values in vm_options the module has one table of its own, of who gave
 * which value; there is one VM in a process, so that one is enough.  The start fills it
 * in one thread.  Later changes (flag_change) come from the threads that serve tools
 * and beans; a reader sees the old or the new number. */

#ifndef MINIVM_JDK_FLAGS_H
#define MINIVM_JDK_FLAGS_H

#include "base/buf.h"
#include "runtime/vm.h"

/* A flag; all texts are the JDK's. */
struct flag {
    const char *name;
    /* bool, int, uint, intx, uintx, size_t, uint64_t, double, ccstr, ccstrlist */
    const char *type;
    /*
     * product; manageable: can be changed while the VM runs; diagnostic, experimental:
     * only behind -XX:+UnlockDiagnosticVMOptions or -XX:+UnlockExperimentalVMOptions
     */
    const char *lock;
    const char *initial; /* the default, as text */
    /* The least and the greatest value, as text in decimal; NULL if there is no range. */
    const char *low, *high;
};

/* Who gave a value; the numbers are those of the management interface (jmm.h). */
enum flag_origin {
    FLAG_BY_DEFAULT = 1,
    FLAG_BY_COMMAND_LINE,
    FLAG_BY_MANAGEMENT,
    FLAG_BY_ENVIRONMENT,
    FLAG_BY_FILE,
    FLAG_BY_VM,
    FLAG_BY_ATTACH
};

/* The flags of the release that was selected. */
extern const struct flag *flags;
extern size_t flag_count;
#define FOR_EACH_FLAG(f) for (const struct flag *f = flags; f < flags + flag_count; f++)

/* Selects the flags of a release of the JDK, before any is read.  There are none
   before. */
void flags_select(int feature);

/* Returns the release that took the effect of a flag away, "21.0", if the selected one
   takes a flag of that name with a warning only; else NULL. */
const char *flag_removed_in(const char *name, size_t length);

/* Returns the flag whose name is the length bytes at name, or NULL. */
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

/* Returns true if the flag can be changed while the VM runs. */
bool flag_is_manageable(const struct flag *f);

/* Returns true if the flag needs an option that unlocks it, and that was not given. */
bool flag_is_locked(const struct vm_options *o, const struct flag *f);

/* Returns true if the VM does what the flag says. */
bool flag_is_honoured(const struct flag *f);

/* Returns who gave the flag its value, and that as text: "command line", "default". */
enum flag_origin flag_origin(const struct vm_options *o, const struct flag *f);
const char *flag_origin_text(enum flag_origin origin);

/* Appends the value: true, false, a number, or text. */
void flag_print_value(struct buf *out, const struct vm_options *o,
                      const struct flag *f);

/*
 * Appends the flag as on the command line: -XX:+ClassUnloading,
 * -XX:MaxHeapSize=1048576.
 */
void flag_print(struct buf *out, const struct vm_options *o, const struct flag *f);

/* Returns the value of a flag that is a number, or 0 or 1 for a bool. */
int64_t flag_number(const struct vm_options *o, const struct flag *f);

/*
 * Sets a flag from text, which is what stands behind '=' on the command line, or "true"
 * or "false".  A ccstrlist that is honoured gets a further line.  Unless the result is
 * FLAG_SET nothing has changed: the text is no value of the flag's type, or out of its
 * range.
 */
enum flag_result { FLAG_SET, FLAG_MALFORMED, FLAG_OUT_OF_RANGE };
enum flag_result flag_set(struct vm_options *o, const struct flag *f, const char *text,
                          enum flag_origin origin);

/*
 * Stores the least and the greatest value, as text; false when the flag has no range.
 */
bool flag_range(const struct flag *f, const char **low, const char **high);

/*
 * Sets a manageable flag while the VM runs, as a tool has asked; text may be NULL, and
 * 1 or 0 for a bool, which jinfo sends.  False with the reason, in HotSpot's words, in
 * problem.
 */
bool flag_change(struct vm_options *o, const char *name, const char *text,
                 enum flag_origin origin, struct buf *problem);

/*
 * Reads a number as HotSpot takes it: decimal digits, or hexadecimal ones behind 0x,
 * and perhaps one of the units k, m, g or t (powers of 1024).  False, with *size
 * untouched, if text is anything else or too great.
 */
bool parse_size(const char *text, size_t *size);

#endif
