/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify.c -- verification by type checking (JVMS 4.10.1).
 *
 * verify_class goes through the methods that have code.  For each, verify_method builds
 * the frame in which the method begins (set_entry_frame), finds where instructions
 * begin (find_starts), checks that the exception table and the local variable tables
 * agree with that (check_tables), and reads the StackMapTable (stackmap_read).
 *
 * verify_code then goes through the instructions once.  It applies the map of an
 * instruction, if there is one, and then the instruction itself, which changes the
 * current frame and checks the frames at the targets of jumps; the handlers that cover
 * the instruction are checked with it.  verifier.h explains frames and maps, and that
 * a function that returns false has decided the result.
 */

#include "classfile/verify.h"

#include <string.h>

#include "classfile/verifier.h"

/* What the frames of one method may take, in bytes.  A method that needs more gets an
   OutOfMemoryError: a small class file can describe very large maps. */
#define METHOD_MEMORY ((size_t)256 << 20)

/* One byte more is allocated, so that no size is 0. */
void *
verifier_alloc(struct verifier *v, size_t count, size_t size)
{
    size_t total = count * size + 1;
    void *memory = NULL;

    if (total <= v->arena_left)
        memory = arena_try_alloc(&v->arena, total);
    if (!memory)
        verifier_no_memory(v);
    else
        v->arena_left -= total;
    return memory;
}

/* A popped operand is still in the array, right above the stack's new top, until the
   next push. */
struct vorigin
verifier_popped(const struct verifier *v)
{
    return (struct vorigin){ FROM_STACK, v->current.stack_size,
                             v->current.stack[v->current.stack_size], &v->current };
}

bool
verifier_require(struct verifier *v, struct vorigin found, struct vorigin wanted,
                 bool member, const char *message)
{
    int fits = vtype_assignable(v, &found.type, &wanted.type, member);

    return fits != 0 ? fits > 0 : verifier_fail_type(v, found, wanted, "%s", message);
}

/* A VerifyError about the operand stack, which prints the current frame. */
static bool
fail_stack(struct verifier *v, enum vfault fault, const char *message)
{
    struct vcontext c = { .fault = fault,
                          .bci = v->current.bci,
                          .found = { .kind = FROM_FRAME, .frame = &v->current } };

    return verifier_fail(v, &c, "%s", message);
}

bool
verifier_fail_overflow(struct verifier *v)
{
    return fail_stack(v, FAULT_OVERFLOW, "Operand stack overflow");
}

bool
verifier_pop(struct verifier *v, struct vtype want, struct vtype *got)
{
    int fits;

    if (v->current.stack_size == 0)
        return fail_stack(v, FAULT_UNDERFLOW, "Operand stack underflow");
    v->current.stack_size--;
    fits = vtype_assignable(v, &v->current.stack[v->current.stack_size], &want, false);
    if (got)
        *got = v->current.stack[v->current.stack_size];
    if (fits == 0)
        return verifier_fail_type(v, verifier_popped(v),
                                  vorigin_of(FROM_CONTEXT, 0, want),
                                  "Bad type on operand stack");
    return fits > 0;
}

bool
verifier_push(struct verifier *v, struct vtype type)
{
    if (v->current.stack_size >= v->m->max_stack)
        return verifier_fail_overflow(v);
    v->current.stack[v->current.stack_size++] = type;
    return true;
}

bool
verifier_pop_types(struct verifier *v, const struct vtype *types, unsigned count)
{
    while (count > 0)
        if (!verifier_pop(v, types[--count], NULL))
            return false;
    return true;
}

bool
verifier_push_types(struct verifier *v, const struct vtype *types, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!verifier_push(v, types[i]))
            return false;
    return true;
}

/* In the frame that a handler sees the exception is the only operand (JVMS 4.10.1.6).
   The first test leaves at once for the most instructions: those that no handler
   covers, and those before which no local has changed and no range begins. */
bool
verifier_check_handlers(struct verifier *v, bool this_uninit)
{
    if (v->current.bci < v->covered_from || v->current.bci >= v->covered_to
        || (!v->locals_changed && !(v->starts[v->current.bci] & START_RANGE)
            && !this_uninit))
        return true;
    for (unsigned i = 0; i < v->m->handler_count; i++) {
        const struct cf_handler *h = &v->m->handlers[i];
        struct vframe f = v->current;
        struct vtype caught = vtype_object(v->throwable);

        if (v->current.bci < h->start_pc || v->current.bci >= h->end_pc)
            continue;
        if (h->catch_type != 0)
            caught.name = cf_name(v->cf, h->catch_type);
        f.stack = &caught;
        f.stack_size = 1;
        f.this_uninit |= this_uninit;
        if (v->m->max_stack == 0)
            return verifier_fail_overflow(v);
        if (!stackmap_match_target(v, &f, h->handler_pc,
                                   "Stack map does not match the one at "
                                   "exception handler %u"))
            return false;
    }
    v->locals_changed = false;
    return true;
}

/* Makes a map the current frame, by a copy, since the current frame changes and other
   frames may share the map's arrays.  Locals that only the old frame had become
   V_TOP. */
static void
load_map(struct verifier *v, const struct vframe *map)
{
    struct vframe *now = &v->current;

    for (uint32_t i = map->locals_size; i < now->locals_size; i++)
        now->locals[i] = vtype_of(V_TOP);
    if (map->locals_size > 0)
        memcpy(now->locals, map->locals, map->locals_size * sizeof *map->locals);
    if (map->stack_size > 0)
        memcpy(now->stack, map->stack, map->stack_size * sizeof *map->stack);
    now->locals_size = map->locals_size;
    now->stack_size = map->stack_size;
    now->this_uninit = map->this_uninit;
    v->locals_changed = true;
}

/*
 * Checks the current frame against the map at this instruction, if there is one, and
 * makes the map the current frame.  falls_through tells whether the instruction before
 * may continue here; if not, there is no current frame and a map is required (JVMS
 * 4.10.1.6).
 */
static bool
apply_map(struct verifier *v, bool falls_through)
{
    const struct vframe *map = v->map_next < v->map_count ? &v->maps[v->map_next]
                                                          : NULL;

    if (!map || map->bci != v->current.bci)
        return falls_through
               || verifier_fail_at(v, map ? FAULT_MISSING_MAP : FAULT_CODE, 0,
                                   "Expecting a stack map frame");
    if (falls_through
        && !stackmap_match(v, &v->current, map,
                           "Instruction type does not match stack map"))
        return false;
    load_map(v, map);
    v->map_next++;
    return true;
}

/* Checks the instruction and the handlers that cover it. */
static bool
verify_at(struct verifier *v, const struct instruction *in)
{
    bool this_uninit = false;

    /* Handlers see the locals as they are before the instruction.  Only a store changes
       locals, but for <init>, which calls verifier_check_handlers itself first. */
    if (opcode_is_store(in->opcode))
        return verifier_check_handlers(v, false)
               && verify_instruction(v, in, &this_uninit);
    return verify_instruction(v, in, &this_uninit)
           && verifier_check_handlers(v, this_uninit);
}

/* Goes through the instructions of the method, which find_starts has decoded before, so
   that decoding cannot fail here.  The last one must not continue behind the code. */
static bool
verify_code(struct verifier *v)
{
    bool falls_through = true;
    struct instruction in;

    for (uint32_t bci = 0; bci < v->m->code_length; bci += in.length) {
        opcode_decode(v->m->code, v->m->code_length, bci, &in);
        v->current.bci = bci;
        v->stack_size_before = v->current.stack_size;
        if (!apply_map(v, falls_through))
            return false;
        v->stack_size_before = v->current.stack_size;
        if (!verify_at(v, &in))
            return false;
        falls_through = opcode_falls_through(in.opcode);
    }
    v->current.bci = v->m->code_length;
    return !falls_through
           || verifier_fail_code(v, "Control flow falls through code end");
}

/* Finds where instructions begin, and refuses code that cannot be decoded. */
static bool
find_starts(struct verifier *v)
{
    struct instruction in;

    v->starts = verifier_alloc(v, v->m->code_length, 1);
    if (!v->starts)
        return false;
    for (uint32_t bci = 0; bci < v->m->code_length; bci += in.length) {
        v->current.bci = bci;
        if (!opcode_decode(v->m->code, v->m->code_length, bci, &in))
            return verifier_fail_code(v, "Bad instruction");
        v->starts[bci] = in.opcode == OP_new ? START_INSTRUCTION | START_NEW
                                             : START_INSTRUCTION;
    }
    return true;
}

/* Checks that an instruction begins at bci, or that the code ends there if may_end is
   set.  A message calls the bci `what`, with the value that the table has. */
static bool
check_start(struct verifier *v, uint32_t bci, bool may_end, const char *what,
            unsigned value)
{
    uint32_t end = v->m->code_length;

    return (may_end && bci == end) || (bci < end && v->starts[bci] != 0)
           || verifier_fail_format(v, false, "Illegal %s %u", what, value);
}

/* Checks a row of the exception table (JVMS 4.10.1.6, handlersAreLegal): instructions
   begin where its range and its handler do, and what it catches is a Throwable, which
   may need a hook.  The message of an error names the handler's bci. */
static bool
check_handler(struct verifier *v, const struct cf_handler *h)
{
    struct vorigin caught, wanted;
    int fits;

    if (!check_start(v, h->start_pc, false, "exception table start_pc", h->start_pc)
        || !check_start(v, h->end_pc, true, "exception table end_pc", h->end_pc)
        || !check_start(v, h->handler_pc, false, "exception table handler_pc",
                        h->handler_pc))
        return false;
    if (h->catch_type == 0)
        return true;
    v->current.bci = h->handler_pc;
    caught = vorigin_of(FROM_POOL, h->catch_type,
                        vtype_object(cf_name(v->cf, h->catch_type)));
    wanted = vorigin_of(FROM_CONTEXT, 0, vtype_object(v->throwable));
    fits = vtype_assignable(v, &caught.type, &wanted.type, false);
    if (fits == 0)
        verifier_fail_type(v, caught, wanted,
                           "Catch type is not a subclass of "
                           "Throwable in exception handler %u",
                           h->handler_pc);
    return fits > 0;
}

/* Checks the exception table and the local variable tables, whose ranges must begin and
   end at instructions, and fills in what the verifier knows of handlers: the smallest
   range that has all of theirs in it (covered_from, covered_to) and START_RANGE. */
static bool
check_tables(struct verifier *v)
{
    v->covered_from = v->m->code_length;
    v->covered_to = 0;
    for (unsigned i = 0; i < v->m->handler_count; i++) {
        const struct cf_handler *h = &v->m->handlers[i];

        if (!check_handler(v, h))
            return false;
        v->starts[h->start_pc] |= START_RANGE;
        if (h->start_pc < v->covered_from)
            v->covered_from = h->start_pc;
        if (h->end_pc > v->covered_to)
            v->covered_to = h->end_pc;
    }
    for (uint32_t i = 0; i < v->m->local_count; i++) {
        const struct cf_local *l = &v->m->locals[i];

        if (!check_start(v, l->start_pc, false, "local variable table start_pc",
                         l->start_pc)
            || !check_start(v, (uint32_t)l->start_pc + l->length, true,
                            "local variable table length", l->length))
            return false;
    }
    return true;
}

/* Finds the return type.  boolean, byte, char and short have kinds of their own here,
   which only matters for messages. */
static void
set_return_type(struct verifier *v)
{
    struct descriptor_type type;
    struct vtype types[2];

    if (!descriptor_return(v->m->descriptor, &type))
        return;
    v->return_type = vtype_of(vkind_of_letter(type.kind));
    if (descriptor_kind_is_reference(type.kind)
        && vtype_of_descriptor(v, &type, types) == 1)
        v->return_type = types[0];
}

/* Makes the current frame that in which the method begins (JVMS 4.10.1.6,
   methodInitialStackFrame). */
static bool
set_entry_frame(struct verifier *v)
{
    struct descriptor_iter it = descriptor_parameters(v->m->descriptor);
    struct descriptor_type type;
    struct vframe *f = &v->current;

    memset(f, 0, sizeof *f);
    v->locals_changed = true;
    f->locals = verifier_alloc(v, v->m->max_locals, sizeof *f->locals);
    f->stack = verifier_alloc(v, v->m->max_stack + 1u, sizeof *f->stack);
    if (!f->locals || !f->stack)
        return false;
    if (!(v->m->access_flags & ACC_STATIC)) {
        f->this_uninit = v->m->name == v->init && v->cf->this_class != v->object;
        f->locals[f->locals_size++] = f->this_uninit ? vtype_of(V_UNINITIALIZED_THIS)
                                                     : vtype_object(v->cf->this_class);
    }
    while (descriptor_next(&it, &type))
        f->locals_size += vtype_of_descriptor(v, &type, f->locals + f->locals_size);
    set_return_type(v);
    return v->result->status == VERIFY_OK;
}

/* Verifies one method, which has code.  Returns false when the result is decided, so
   that no other method is looked at.  Frees what the method's frames took. */
static bool
verify_method(struct verifier *v, const struct cf_method *m)
{
    bool ok;

    v->m = m;
    v->arena_left = METHOD_MEMORY;
    ok = set_entry_frame(v) && find_starts(v) && check_tables(v) && stackmap_read(v)
         && verify_code(v);
    arena_release(&v->arena);
    return ok;
}

/* Sets what verify_method needs of the class.  A class without code, such as most
   interfaces, needs none of it. */
static void
set_names(struct verifier *v)
{
    const char *name = v->cf->this_class->bytes;

    for (size_t i = 0; i + 1 < sizeof v->class_name && name[i] != '\0'; i++)
        v->class_name[i] = name[i];
    for (char *at = v->class_name; (at = strchr(at, '/')) != NULL;)
        *at = '.';
    v->object = symbol_of("java/lang/Object");
    v->throwable = symbol_of("java/lang/Throwable");
    v->init = symbol_of("<init>");
    v->clone = symbol_of("clone");
    v->cloneable = symbol_of("java/lang/Cloneable");
    v->serializable = symbol_of("java/io/Serializable");
}

void
verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
             struct verify_result *result)
{
    struct verifier v = { .cf = cf, .hooks = hooks, .result = result };

    memset(result, 0, sizeof *result);
    for (unsigned i = 0; i < cf->method_count; i++) {
        if (hooks->verified_meanwhile && hooks->verified_meanwhile(hooks->context))
            return;
        if (!cf->methods[i].has_code)
            continue;
        if (!v.object)
            set_names(&v);
        if (!verify_method(&v, &cf->methods[i]))
            return;
    }
}
