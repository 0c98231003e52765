/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/stackmap.c -- StackMapTable (JVMS 4.7.4, 4.10.1.4).
 *
 * stackmap_read expands the whole table when the verification of a method begins.  In
 * the class file each frame says how it differs from the one before it (JVMS 4.7.4);
 * here each has all its types, but frames that have the same locals share the array.
 *
 * stackmap_match compares a frame with a map.  The verifier comes to the maps in order,
 * and finds the one at a jump's target by bisection (stackmap_match_target).  A
 * function that returns false has decided the result of the verification (verifier.h).
 */

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "classfile/verifier.h"

/* The types of frames (JVMS 4.7.4); each name is the last number of its range. */
enum {
    SAME = 63,
    SAME_ONE = 127,
    RESERVED = 246,
    SAME_ONE_EXTENDED = 247,
    /* 248 to 250 chop 3 to 1 locals. */
    SAME_EXTENDED = 251,
    /* 252 to 254 append 1 to 3 locals. */
    APPEND = 254,
    FULL = 255
};

/* verification_type_info tags. */
enum {
    ITEM_TOP,
    ITEM_INTEGER,
    ITEM_FLOAT,
    ITEM_DOUBLE,
    ITEM_LONG,
    ITEM_NULL,
    ITEM_UNINITIALIZED_THIS,
    ITEM_OBJECT,
    ITEM_UNINITIALIZED
};

/* The greatest distance between instructions of one method. */
enum { MAX_OFFSET = 65535 };

/* Refuses the table; final is that of verifier_fail_format.  Returns false. */
static bool
fail_table(struct verifier *v, bool final, const char *what)
{
    return verifier_fail_format(v, final, "StackMapTable format error: %s", what);
}

/* Checks that the table has not ended too early. */
static bool
check_end(struct verifier *v, const struct reader *r)
{
    return !r->bad || fail_table(v, true, "access beyond the end of attribute");
}

/* Reads a verification_type_info: a tag and, for a class, the index of its constant or,
   for an uninitialized object, the bci of the new that makes it.  Where there is no new
   the result is decided, but we return true: what follows may be worse. */
static bool
read_type(struct verifier *v, struct reader *r, struct vtype *t)
{
    static const uint8_t plain[] = {
        [ITEM_TOP] = V_TOP,
        [ITEM_INTEGER] = V_INT,
        [ITEM_FLOAT] = V_FLOAT,
        [ITEM_DOUBLE] = V_DOUBLE,
        [ITEM_LONG] = V_LONG,
        [ITEM_NULL] = V_NULL,
        [ITEM_UNINITIALIZED_THIS] = V_UNINITIALIZED_THIS,
    };
    unsigned tag = reader_u1(r), operand = 0;

    if (tag > ITEM_UNINITIALIZED)
        return fail_table(v, true, "bad verification type");
    if (tag > ITEM_UNINITIALIZED_THIS)
        operand = reader_u2(r);
    if (!check_end(v, r))
        return false;
    if (tag <= ITEM_UNINITIALIZED_THIS) {
        *t = vtype_of((enum vkind)plain[tag]);
        return true;
    }
    if (tag == ITEM_OBJECT) {
        if (cf_tag_at(v->cf, operand) != CF_CLASS)
            return fail_table(v, true, "bad class index");
        *t = vtype_object(cf_name(v->cf, operand));
        return true;
    }
    if (operand >= v->m->code_length || (v->starts[operand] & START_NEW) == 0)
        fail_table(v, false, "bad offset for Uninitialized");
    *t = (struct vtype){ V_UNINITIALIZED, operand, NULL };
    return true;
}

/*
 * Appends count types of the table to the first *size of *types, and checks that there
 * are not more than max.  *types becomes a new array, since other frames may share the
 * old one.  A long or double is one type in the table and takes two slots in the array.
 * All of them are read even if one names no new: in a file of version 50 type inference
 * may decide about that, but not about types that cannot be read at all.
 */
static bool
read_types(struct verifier *v, struct reader *r, size_t count, struct vtype **types,
           uint32_t *size, uint32_t max)
{
    size_t left = reader_left(r);
    struct vtype *list, t;

    if (!check_end(v, r))
        return false;
    /* Each type takes a byte at least, so there are not more than bytes are left,
       whatever the table claims. */
    list = verifier_alloc(v, *size + 2 * (count < left ? count : left), sizeof *list);
    if (!list)
        return false;
    if (*size > 0)
        memcpy(list, *types, *size * sizeof *list);
    *types = list;
    for (; count > 0; count--) {
        if (!read_type(v, r, &t))
            return false;
        list[(*size)++] = t;
        if (vkind_is_wide(t.kind))
            list[(*size)++] = vtype_upper(t.kind);
    }
    if (v->result->status != VERIFY_OK)
        return false;
    return *size <= max || fail_table(v, false, "bad type array size");
}

/* Appends count types to the operands of the frame. */
static bool
read_operands(struct verifier *v, struct reader *r, struct vframe *f, size_t count)
{
    return read_types(v, r, count, &f->stack, &f->stack_size, v->m->max_stack);
}

/* Appends count types to the locals of the frame. */
static bool
read_locals(struct verifier *v, struct reader *r, struct vframe *f, size_t count)
{
    return read_types(v, r, count, &f->locals, &f->locals_size, v->m->max_locals);
}

/* Removes the last count locals; a long or double is one (JVMS 4.7.4, chop_frame). */
static bool
chop(struct verifier *v, struct vframe *f, unsigned count)
{
    for (; count > 0 && f->locals_size > 0; count--)
        f->locals_size -= vkind_is_upper(f->locals[f->locals_size - 1].kind) ? 2 : 1;
    return count == 0 || fail_table(v, false, "bad type array size");
}

/* Reads a frame of the table.  *f is the frame before it, with an empty stack, and
   becomes the new one; *delta is its offset_delta. */
static bool
read_frame(struct verifier *v, struct reader *r, struct vframe *f, uint32_t *delta)
{
    unsigned type = reader_u1(r);

    *delta = type <= SAME_ONE ? type % (SAME + 1) : reader_u2(r);
    if (!check_end(v, r))
        return false;
    if (type <= SAME || type == SAME_EXTENDED)
        return true;
    if (type <= SAME_ONE || type == SAME_ONE_EXTENDED)
        return read_operands(v, r, f, 1);
    if (type <= RESERVED)
        return fail_table(v, true, "reserved frame type");
    if (type < SAME_EXTENDED)
        return chop(v, f, SAME_EXTENDED - type);
    if (type <= APPEND)
        return read_locals(v, r, f, type - SAME_EXTENDED);
    f->locals_size = 0;
    return read_locals(v, r, f, reader_u2(r)) && read_operands(v, r, f, reader_u2(r));
}

/* Reads all frames of the table into v->maps, which has room for them.  The first one
   says how it differs from the frame in which the method begins, and its offset_delta
   is its bci; each later one stands offset_delta + 1 behind the one before (JVMS
   4.7.4), so the bcis ascend.  An instruction must begin at each. */
static bool
read_frames(struct verifier *v, struct reader *r)
{
    struct vframe f = v->current;

    /* Copy the locals: those of the current frame are going to change. */
    if (!read_locals(v, r, &f, 0))
        return false;

    for (uint32_t i = 0; i < v->map_count; i++) {
        uint32_t delta = 0;

        f.stack = NULL;
        f.stack_size = 0;
        if (!read_frame(v, r, &f, &delta))
            return false;
        /* flagThisUninit is set if a local is uninitializedThis (JVMS 4.10.1.4). */
        f.this_uninit = false;
        for (uint32_t at = 0; at < f.locals_size; at++)
            f.this_uninit |= f.locals[at].kind == V_UNINITIALIZED_THIS;
        f.bci = i == 0 ? delta : f.bci + delta + 1;
        if (f.bci >= v->m->code_length || v->starts[f.bci] == 0) {
            struct vcontext c = { .fault = FAULT_BAD_MAP };

            v->maps[i] = f;
            c.found = (struct vorigin){ .kind = FROM_FRAME, .frame = &v->maps[i] };
            return verifier_fail(v, &c, "StackMapTable error: bad offset");
        }
        v->maps[i] = f;
    }
    return true;
}

bool
stackmap_read(struct verifier *v)
{
    const struct cf_range *range = &v->m->stack_map;
    struct reader r;

    v->maps = NULL;
    v->map_count = v->map_next = 0;
    /* HotSpot treats an empty attribute as if it were not present. */
    if (range->length == 0)
        return true;
    r = reader_of(v->cf->bytes + range->offset, range->length);
    v->map_count = reader_u2(&r);
    if (!check_end(v, &r))
        return false;
    v->maps = verifier_alloc(v, v->map_count, sizeof *v->maps);
    if (!v->maps || !read_frames(v, &r))
        return false;
    return reader_left(&r) == 0
           || (v->map_count == 0 && v->hooks->allows_long_empty_map)
           || fail_table(v, true, "wrong attribute size");
}

static int
compare_bci(const void *bci, const void *map)
{
    uint32_t a = *(const uint32_t *)bci, b = ((const struct vframe *)map)->bci;

    return (a > b) - (a < b);
}

/* Whether the locals of a frame or, with `stack`, its operands are assignable to those
   of a map: 1; 0, with *c filled with the first that is not; -1 if a hook failed. */
static int
match_types(struct verifier *v, const struct vframe *frame, const struct vframe *map,
            bool stack, struct vcontext *c)
{
    const struct vtype *from = stack ? frame->stack : frame->locals;
    const struct vtype *to = stack ? map->stack : map->locals;
    uint32_t count = stack ? map->stack_size : map->locals_size;

    for (uint32_t i = 0; i < count; i++) {
        int fits = vtype_assignable(v, &from[i], &to[i], false);

        if (fits > 0)
            continue;
        c->fault = FAULT_TYPE;
        c->found = (struct vorigin){ stack ? FROM_STACK : FROM_LOCALS, i, from[i],
                                     frame };
        c->wanted = (struct vorigin){ stack ? FROM_MAP_STACK : FROM_MAP_LOCALS, i,
                                      to[i], map };
        return fits;
    }
    return 1;
}

/* The frame must have as many operands as the map, and each local and operand must be
   assignable.  A frame in which `this` is not initialized fits only a map that says so:
   else a constructor could return before it has called another one.  The message is
   about the map's bci, but for the number of operands, as HotSpot has it. */
bool
stackmap_match(struct verifier *v, const struct vframe *frame, const struct vframe *map,
               const char *message)
{
    struct vcontext c = {
        .bci = map->bci,
        .found = { .kind = FROM_FRAME, .frame = frame },
        .wanted = { .kind = FROM_FRAME, .frame = map },
    };
    int fits = 0;

    if (frame->stack_size != map->stack_size) {
        c.fault = FAULT_STACK_SIZE;
        c.bci = frame->bci;
    } else {
        fits = match_types(v, frame, map, false, &c);
        if (fits > 0)
            fits = match_types(v, frame, map, true, &c);
        if (fits > 0 && frame->this_uninit && !map->this_uninit) {
            c.fault = FAULT_FLAGS;
            fits = 0;
        }
    }
    if (fits == 0)
        verifier_fail(v, &c, message, map->bci);
    return fits > 0;
}

bool
stackmap_match_target(struct verifier *v, const struct vframe *frame, int32_t target,
                      const char *message)
{
    const struct vframe *map = NULL;

    if (v->map_count > 0)
        map = bsearch(&target, v->maps, v->map_count, sizeof *map, compare_bci);
    if (!map)
        return verifier_fail_at(v, FAULT_MISSING_MAP, 0,
                                "Expecting a stackmap frame at branch target %d",
                                target);
    return stackmap_match(v, frame, map, message);
}

/* Checks the current frame against the map at one target of the current instruction. */
static bool
check_target(struct verifier *v, int32_t target)
{
    struct vcontext c = { .fault = FAULT_BAD_MAP,
                          .found = { .kind = FROM_FRAME, .frame = &v->current } };
    int64_t offset = (int64_t)target - v->current.bci;

    if (offset < -MAX_OFFSET || offset > MAX_OFFSET)
        return verifier_fail(v, &c,
                             "Illegal target of jump or branch (bci %u + offset "
                             "%lld)",
                             v->current.bci, (long long)offset);
    return stackmap_match_target(v, &v->current, target,
                                 "Inconsistent stackmap frames at branch target %d");
}

bool
stackmap_check_targets(struct verifier *v, const struct instruction *in)
{
    for (uint32_t i = 0; i < opcode_target_count(in); i++)
        if (!check_target(v, opcode_target(in, i)))
            return false;
    return true;
}
