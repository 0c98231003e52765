/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/filter.c -- code that nobody wrote.
 *
 * Compilers add methods, and instructions inside of methods: copies of finally blocks,
 * handlers that leave a monitor or close a resource.  They have the lines of what they
 * were made for, so that lines would look half covered that were run as a whole.
 * The patterns are those that javac makes; code of others only keeps more of it.
 */
#include <string.h>

#include "coverage.h"

bool
filter_skips_class(struct tf_class *c)
{
    return (tf_class_access(c) & (TF_ACC_MODULE | TF_ACC_SYNTHETIC)) != 0;
}

static bool
is_super(const struct tf_class *c, const char *name)
{
    return tf_class_super(c) != NULL && strcmp(tf_class_super(c), name) == 0;
}

static struct tf_insn *
real(struct tf_insn *insn)
{
    while (insn != NULL && insn->opcode == TF_LABEL)
        insn = insn->next;
    return insn;
}

static struct tf_insn *
after(struct tf_insn *insn)
{
    return insn == NULL ? NULL : real(insn->next);
}

static bool
is_op(const struct tf_insn *insn, int opcode)
{
    return insn != NULL && insn->opcode == opcode;
}

/* The local of a load or store; -1 for other instructions.  The short forms stand in
   fours: _0 to _3 of int, long, float, double, reference. */
static int
local_of(const struct tf_insn *insn, int long_form, int short_form)
{
    if (insn == NULL)
        return -1;
    if (insn->opcode == long_form)
        return insn->operand;
    if (insn->opcode >= short_form && insn->opcode < short_form + 4)
        return insn->opcode - short_form;
    return -1;
}

static int
load_of(const struct tf_insn *insn)
{
    return local_of(insn, TF_OP_ALOAD, TF_OP_ALOAD_0);
}

static int
store_of(const struct tf_insn *insn)
{
    return local_of(insn, TF_OP_ASTORE, TF_OP_ASTORE_0);
}

static bool
calls(const struct tf_code *code, const struct tf_insn *insn, const char *owner,
      const char *name)
{
    const char *found_owner, *found;

    return insn != NULL && insn->opcode >= TF_OP_INVOKEVIRTUAL
        && insn->opcode <= TF_OP_INVOKEINTERFACE
        && tf_constant_member(code->owner, (unsigned)insn->operand, &found_owner,
                              &found, NULL)
        && strcmp(found, name) == 0
        && (owner == NULL || strcmp(found_owner, owner) == 0);
}

/* A private constructor that only calls the one above: it keeps others from making
   objects. */
static bool
is_empty_constructor(struct tf_class *c, struct tf_member *m)
{
    struct tf_code *code;
    struct tf_insn *first;

    if ((m->access & TF_ACC_PRIVATE) == 0 || strcmp(m->name, "<init>") != 0
        || strcmp(m->descriptor, "()V") != 0 || (code = tf_class_code(c, m)) == NULL)
        return false;
    first = real(code->first);
    return load_of(first) == 0 && calls(code, after(first), tf_class_super(c), "<init>")
        && is_op(after(after(first)), TF_OP_RETURN);
}

/* The constructor of an enum that has none: it hands on the name and the ordinal. */
static bool
is_enum_constructor(struct tf_class *c, struct tf_member *m)
{
    struct tf_code *code;
    struct tf_insn *insn;

    if (!is_super(c, "java/lang/Enum") || strcmp(m->name, "<init>") != 0
        || strcmp(m->descriptor, "(Ljava/lang/String;I)V") != 0
        || (code = tf_class_code(c, m)) == NULL)
        return false;
    insn = real(code->first);
    for (int i = 0; i < 3; i++)
        insn = after(insn);
    return calls(code, insn, "java/lang/Enum", "<init>")
        && is_op(after(insn), TF_OP_RETURN);
}

/* toString and the like that a record did not write: an invokedynamic has it all. */
static bool
is_of_record(struct tf_class *c, struct tf_member *m)
{
    struct tf_code *code;

    if (!is_super(c, "java/lang/Record")
        || (strcmp(m->name, "toString") != 0 && strcmp(m->name, "hashCode") != 0
            && strcmp(m->name, "equals") != 0)
        || (code = tf_class_code(c, m)) == NULL)
        return false;
    for (struct tf_insn *insn = real(code->first); insn != NULL; insn = after(insn))
        if (insn->opcode == TF_OP_INVOKEDYNAMIC)
            return true;
        else if (load_of(insn) < 0)
            return false;
    return false;
}

/* A record's accessor that was not written, or is as if it were not: it returns the field
   of its name. */
static bool
is_accessor(struct tf_class *c, struct tf_member *m)
{
    const char *owner, *name;
    struct tf_code *code;
    struct tf_insn *insn;

    if (!is_super(c, "java/lang/Record") || strncmp(m->descriptor, "()", 2) != 0
        || (code = tf_class_code(c, m)) == NULL)
        return false;
    insn = real(code->first);
    if (load_of(insn) != 0 || !is_op(after(insn), TF_OP_GETFIELD))
        return false;
    insn = after(insn);
    return tf_constant_member(c, (unsigned)insn->operand, &owner, &name, NULL)
        && strcmp(name, m->name) == 0 && (insn = after(insn)) != NULL
        && insn->opcode >= TF_OP_IRETURN && insn->opcode <= TF_OP_ARETURN;
}

bool
filter_skips_method(struct tf_class *c, struct tf_member *m)
{
    if (tf_attribute_find(m->attributes, "Code") == NULL)
        return true;
    if ((m->access & TF_ACC_SYNTHETIC) != 0)
        return strncmp(m->name, "lambda$", 7) != 0;
    if (is_super(c, "java/lang/Enum")
        && ((strcmp(m->name, "values") == 0 && strncmp(m->descriptor, "()", 2) == 0)
            || (strcmp(m->name, "valueOf") == 0
                && strncmp(m->descriptor, "(Ljava/lang/String;)L", 21) == 0)))
        return true;
    return is_empty_constructor(c, m) || is_enum_constructor(c, m)
        || is_of_record(c, m) || is_accessor(c, m);
}

/* -- inside of a method -- */

struct filter {
    struct tf_code *code;
    struct tf_insn **insns;
    size_t count;
    struct filtered *out;
};

/* The index of the instruction at or behind a label; count for the end. */
static size_t
index_of(const struct filter *f, struct tf_insn *label)
{
    struct tf_insn *insn = real(label);
    size_t low = 0, high = f->count;

    if (insn == NULL)
        return f->count;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (f->insns[middle]->offset < insn->offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct tf_insn *
at(const struct filter *f, size_t i)
{
    return i < f->count ? f->insns[i] : NULL;
}

static void
ignore(struct filter *f, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < f->count; i++)
        f->out->ignored[i] = true;
}

/* What leads past a handler has the line of its end. */
static void
ignore_goto(struct filter *f, size_t i)
{
    if (is_op(at(f, i), TF_OP_GOTO))
        ignore(f, i, i + 1);
}

/* The end of synchronized: store the exception, leave the monitor, throw again. */
static bool
filter_monitor(struct filter *f, size_t handler)
{
    int exception = store_of(at(f, handler));

    if (exception < 0 || load_of(at(f, handler + 1)) < 0
        || !is_op(at(f, handler + 2), TF_OP_MONITOREXIT)
        || load_of(at(f, handler + 3)) != exception
        || !is_op(at(f, handler + 4), TF_OP_ATHROW))
        return false;
    ignore(f, handler, handler + 5);
    return true;
}

/* Do the same things happen at a and b, for so many instructions? */
static bool
is_copy(const struct filter *f, size_t a, size_t b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const struct tf_insn *x = at(f, a + i), *y = at(f, b + i);

        if (x == NULL || y == NULL || x->opcode != y->opcode || x->operand != y->operand
            || f->out->ignored[b + i])
            return false;
    }
    return true;
}

static void
merge(struct filter *f, size_t from, size_t copy, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t leader = from + i;

        while (f->out->leader[leader] >= 0 && f->out->leader[leader] != (int32_t)leader)
            leader = (size_t)f->out->leader[leader];
        if (leader == copy + i)
            continue;
        f->out->leader[leader] = (int32_t)leader;
        f->out->leader[copy + i] = (int32_t)leader;
    }
}

/*
 * finally: its handler for everything stores the exception, has a copy of the block,
 * loads the exception and throws it.  Other copies stand where the protected ranges
 * end; they count as one.
 */
static void
filter_finally(struct filter *f, const struct tf_handler *row, size_t handler)
{
    int exception = store_of(at(f, handler));
    size_t body = handler + 1, end = body;

    if (exception < 0)
        return;
    while (end < f->count && !(load_of(at(f, end)) == exception
                               && is_op(at(f, end + 1), TF_OP_ATHROW)))
        end++;
    if (end >= f->count || end == body)
        return;
    ignore(f, handler, body);
    ignore(f, end, end + 2);
    for (const struct tf_handler *other = f->code->handlers; other != NULL;
         other = other->next) {
        size_t copy = index_of(f, other->end);

        if (other->handler != row->handler || other->class_index != 0)
            continue;
        /* A value to be returned is stored first, or the exception of a catch. */
        for (size_t skip = 0; skip < 2; skip++)
            if (copy + skip != body && is_copy(f, body, copy + skip, end - body)) {
                merge(f, body, copy + skip, end - body);
                ignore_goto(f, copy + skip + end - body);
                break;
            }
    }
}

/* The handler of try with resources: close and add what that throws. */
static bool
filter_resource(struct filter *f, size_t handler)
{
    int exception = store_of(at(f, handler));
    bool suppressed = false;
    size_t end = handler + 1;

    if (exception < 0)
        return false;
    while (end < f->count && end < handler + 16
           && !(load_of(at(f, end)) == exception
                && is_op(at(f, end + 1), TF_OP_ATHROW))) {
        suppressed |= calls(f->code, at(f, end), "java/lang/Throwable",
                            "addSuppressed");
        end++;
    }
    if (!suppressed || !is_op(at(f, end + 1), TF_OP_ATHROW))
        return false;
    ignore(f, handler, end + 2);
    return true;
}

/* The closing of a resource where all went well stands behind what the handler
   protects: [if (r != null)] r.close(). */
static void
filter_close(struct filter *f, const struct tf_handler *row)
{
    size_t i = index_of(f, row->end), length = 0;
    int resource = load_of(at(f, i));

    if (resource < 0)
        return;
    if (is_op(at(f, i + 1), TF_OP_IFNULL) && load_of(at(f, i + 2)) == resource
        && calls(f->code, at(f, i + 3), NULL, "close"))
        length = 4;
    else if (calls(f->code, at(f, i + 1), NULL, "close"))
        length = 2;
    ignore(f, i, i + length);
    if (length > 0)
        ignore_goto(f, i + length);
}

/*
 * A switch over strings is two: over the hash code, which sets a number, and over the
 * number.  Only the second is what was written.
 */
static void
filter_string_switch(struct filter *f, size_t i)
{
    struct tf_insn *insn = f->insns[i];
    size_t end;

    if (i < 3 || insn->cases == NULL
        || !calls(f->code, f->insns[i - 1], "java/lang/String", "hashCode")
        || load_of(f->insns[i - 2]) < 0
        || local_of(f->insns[i - 3], TF_OP_ISTORE, TF_OP_ISTORE_0) < 0)
        return;
    end = index_of(f, insn->target);
    if (local_of(at(f, end), TF_OP_ILOAD, TF_OP_ILOAD_0)
            == local_of(f->insns[i - 3], TF_OP_ISTORE, TF_OP_ISTORE_0)
        && end > i)
        ignore(f, i, end);
}

void
filter_code(struct tf_code *code, struct tf_insn **insns, size_t count,
            struct filtered *out)
{
    struct filter f = { code, insns, count, out };

    for (size_t i = 0; i < count; i++)
        out->leader[i] = -1;
    for (size_t i = 0; i < count; i++)
        filter_string_switch(&f, i);
    for (struct tf_handler *row = code->handlers; row != NULL; row = row->next) {
        size_t handler = index_of(&f, row->handler);
        const char *type = row->class_index == 0 ? NULL
            : tf_constant_text(code->owner, row->class_index);

        if (handler < count && out->ignored[handler])
            continue;
        if (type == NULL) {
            if (!filter_monitor(&f, handler))
                filter_finally(&f, row, handler);
        } else if (strcmp(type, "java/lang/Throwable") == 0
                   && filter_resource(&f, handler)) {
            /* The resource's own handlers have other ranges. */
            for (struct tf_handler *other = code->handlers; other != NULL;
                 other = other->next)
                if (other->handler == row->handler)
                    filter_close(&f, other);
        }
    }
}
