/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verify.c -- verification by type checking (JVMS 4.10.1). */

#include "classfile/verify.h"

#include <stdio.h>
#include <string.h>

#include "classfile/verifier.h"

/* A method whose maps take more is refused: OutOfMemoryError. */
#define METHOD_MEMORY ((size_t)256 << 20)

void *
verifier_alloc(struct verifier *v, size_t count, size_t size)
{
    size_t total = count * size + 1;
    void *memory = NULL;

    if (total <= v->arena_left)
        memory = arena_try_alloc(&v->arena, total);
    if (memory == NULL)
        verifier_no_memory(v);
    else
        v->arena_left -= total;
    return memory;
}

/* ---- assignability (JVMS 4.10.1.2) ---- */

static const struct symbol *
intern(struct verifier *v, const char *text, size_t length)
{
    const struct symbol *s = symbol_try_intern(text, length);

    if (s == NULL)
        verifier_no_memory(v);
    return s;
}

static int
ask(struct verifier *v, int answer)
{
    if (answer < 0)
        v->result->status = VERIFY_FAILED;
    return answer;
}

/* Arrays implement Cloneable and Serializable, and no other interface. */
static int
array_assignable(struct verifier *v, const struct symbol *to)
{
    if (v->hooks->array_assignable == NULL)
        return to == v->cloneable || to == v->serializable;
    return ask(v, v->hooks->array_assignable(v->hooks->context, to));
}

enum vkind
vkind_of_letter(char letter)
{
    static const uint8_t kinds['Z' - 'A' + 1] = {
        ['A' - 'A'] = V_ANY_REFERENCE, ['B' - 'A'] = V_BYTE, ['C' - 'A'] = V_CHAR,
        ['D' - 'A'] = V_DOUBLE, ['F' - 'A'] = V_FLOAT, ['I' - 'A'] = V_INT,
        ['J' - 'A'] = V_LONG, ['S' - 'A'] = V_SHORT, ['Z' - 'A'] = V_BOOLEAN,
    };

    return letter >= 'A' && letter <= 'Z' ? (enum vkind)kinds[letter - 'A'] : V_TOP;
}

bool
vtype_of_component(struct verifier *v, const struct symbol *array, struct vtype *type)
{
    const char *element = array->bytes + 1;
    size_t length = array->length - 1u;

    /* A trusted file's nonsense is V_TOP. */
    *type = vtype_of(*element == 'A' ? V_TOP : vkind_of_letter(*element));
    if (*element == '[')
        *type = vtype_object(intern(v, element, length));
    else if (*element == 'L' && length >= 3)
        *type = vtype_object(intern(v, element + 1, length - 2));
    return type->kind != V_OBJECT || type->name != NULL;
}

static int names_assignable(struct verifier *v, const struct symbol *from,
                            const struct symbol *to, bool member);

static int
components_assignable(struct verifier *v, const struct symbol *from,
                      const struct symbol *to, bool member)
{
    struct vtype a, b;

    if (!vtype_of_component(v, from, &a) || !vtype_of_component(v, to, &b))
        return -1;
    if (a.kind == V_OBJECT && b.kind == V_OBJECT)
        return names_assignable(v, a.name, b.name, member);
    return a.kind == b.kind && a.kind != V_TOP;
}

/*
 * Class names, arrays among them.  member: from is the receiver of a protected
 * member and to the class being verified.  An interface counts as Object there,
 * but a plain Object does not count as the interface: it may not reach Object's
 * own protected methods.
 */
static int
names_assignable(struct verifier *v, const struct symbol *from, const struct symbol *to,
                 bool member)
{
    if (from == to || to == v->object)
        return 1;
    if (to->bytes[0] != '[') {
        if (from->bytes[0] == '[')
            return array_assignable(v, to);
        if (member && from == v->object && (v->cf->access_flags & ACC_INTERFACE) != 0)
            return 0;
        return ask(v, v->hooks->assignable(v->hooks->context, from, to));
    }
    if (from->bytes[0] != '[')
        return 0;
    return components_assignable(v, from, to, member);
}

static bool
is_reference(enum vkind kind)
{
    return kind == V_NULL || kind == V_OBJECT || kind == V_UNINITIALIZED_THIS ||
           kind == V_UNINITIALIZED;
}

int
vtype_assignable(struct verifier *v, const struct vtype *from, const struct vtype *to,
                 bool member)
{
    switch (to->kind) {
    case V_TOP:
        return 1;
    case V_BOOLEAN:
    case V_BYTE:
    case V_SHORT:
    case V_CHAR:
        return from->kind == V_INT;
    case V_ANY_REFERENCE:
        return is_reference(from->kind);
    case V_ANY_CATEGORY1:
        return is_reference(from->kind) || from->kind == V_INT || from->kind == V_FLOAT;
    case V_ANY_CATEGORY2:
        return from->kind == V_LONG || from->kind == V_DOUBLE;
    case V_ANY_CATEGORY2_2ND:
        return from->kind == V_LONG_2ND || from->kind == V_DOUBLE_2ND;
    case V_OBJECT:
        if (from->kind == V_NULL)
            return 1;
        return from->kind == V_OBJECT && from->name != to->name
                   ? names_assignable(v, from->name, to->name, member)
                   : from->kind == V_OBJECT;
    default:
        return vtype_equals(from, to);
    }
}

unsigned
vtype_of_descriptor(struct verifier *v, const struct descriptor_type *type,
                    struct vtype types[2])
{
    enum vkind kind = vkind_of_letter(type->kind);

    if (descriptor_kind_is_reference(type->kind)) {
        size_t length;
        const char *name = descriptor_class_text(type, &length);

        types[0] = vtype_object(intern(v, name, length));
        return 1;
    }
    if (type->kind == 'V')
        return 0;
    return vtypes_of_kind(kind >= V_BOOLEAN ? V_INT : kind, types);
}

/* ---- the frame ---- */

struct vorigin
verifier_top(const struct verifier *v)
{
    return (struct vorigin){ FROM_STACK, v->now.stack_size,
                             v->now.stack[v->now.stack_size], &v->now };
}

bool
verifier_require(struct verifier *v, struct vorigin found, struct vorigin wanted,
                 bool member, const char *message)
{
    int fits = vtype_assignable(v, &found.type, &wanted.type, member);

    return fits != 0 ? fits > 0 : verifier_fail_type(v, found, wanted, "%s", message);
}

static bool
fail_stack(struct verifier *v, enum vfault fault, const char *message)
{
    struct vcontext c = { .fault = fault, .bci = v->now.bci,
                          .found = { .place = FROM_FRAME, .frame = &v->now } };

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

    if (v->now.stack_size == 0)
        return fail_stack(v, FAULT_UNDERFLOW, "Operand stack underflow");
    v->now.stack_size--;
    fits = vtype_assignable(v, &v->now.stack[v->now.stack_size], &want, false);
    if (got != NULL)
        *got = v->now.stack[v->now.stack_size];
    if (fits == 0)
        return verifier_fail_type(v, verifier_top(v), vorigin_of(FROM_CONTEXT, 0, want),
                                  "Bad type on operand stack");
    return fits > 0;
}

bool
verifier_push(struct verifier *v, struct vtype type)
{
    if (v->now.stack_size >= v->m->max_stack)
        return verifier_fail_overflow(v);
    v->now.stack[v->now.stack_size++] = type;
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

bool
verifier_check_handlers(struct verifier *v, bool this_uninit)
{
    if (v->now.bci < v->covered_from || v->now.bci >= v->covered_to ||
        (!v->locals_changed && !(v->starts[v->now.bci] & START_RANGE) && !this_uninit))
        return true;
    for (unsigned i = 0; i < v->m->handler_count; i++) {
        const struct cf_handler *h = &v->m->handlers[i];
        struct vframe f = v->now;
        struct vtype caught = vtype_object(v->throwable);

        if (v->now.bci < h->start_pc || v->now.bci >= h->end_pc)
            continue;
        if (h->catch_type != 0)
            caught.name = cf_name(v->cf, h->catch_type);
        f.stack = &caught;
        f.stack_size = 1;
        f.this_uninit |= this_uninit;
        if (v->m->max_stack == 0)
            return verifier_fail_overflow(v);
        if (!stackmap_reach(v, &f, h->handler_pc, "Stack map does not match the one at "
                            "exception handler %u"))
            return false;
    }
    v->locals_changed = false;
    return true;
}

static void
use_map(struct verifier *v, const struct vframe *map)
{
    struct vframe *now = &v->now;

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

/* The map at this instruction, if there is one, takes over.  flows: the
   instruction before may continue here. */
static bool
meet_map(struct verifier *v, bool flows)
{
    const struct vframe *map = v->map_next < v->map_count ? &v->maps[v->map_next]
                                                          : NULL;

    if (map == NULL || map->bci != v->now.bci)
        return flows ||
               verifier_fail_at(v, map == NULL ? FAULT_CODE : FAULT_MISSING_MAP, 0,
                                "Expecting a stack map frame");
    if (flows &&
        !stackmap_match(v, &v->now, map, "Instruction type does not match stack map"))
        return false;
    use_map(v, map);
    v->map_next++;
    return true;
}

/* One instruction between its map and its handlers. */
static bool
verify_at(struct verifier *v, const struct instruction *in)
{
    bool this_uninit = false;

    /* A store changes the locals, and its handlers see them as they were. */
    if (opcode_is_store(in->opcode))
        return verifier_check_handlers(v, false) &&
               verify_instruction(v, in, &this_uninit);
    return verify_instruction(v, in, &this_uninit) &&
           verifier_check_handlers(v, this_uninit);
}

static bool
verify_code(struct verifier *v)
{
    bool flows = true;
    struct instruction in;

    for (uint32_t bci = 0; bci < v->m->code_length; bci += in.length) {
        opcode_decode(v->m->code, v->m->code_length, bci, &in);
        v->now.bci = bci;
        v->stack_mark = v->now.stack_size;
        if (!meet_map(v, flows))
            return false;
        v->stack_mark = v->now.stack_size;
        if (!verify_at(v, &in))
            return false;
        flows = opcode_falls_through(in.opcode);
    }
    v->now.bci = v->m->code_length;
    return !flows || verifier_fail_code(v, "Control flow falls through code end");
}

static bool
mark_starts(struct verifier *v)
{
    struct instruction in;

    v->starts = verifier_alloc(v, v->m->code_length, 1);
    if (v->starts == NULL)
        return false;
    for (uint32_t bci = 0; bci < v->m->code_length; bci += in.length) {
        v->now.bci = bci;
        if (!opcode_decode(v->m->code, v->m->code_length, bci, &in))
            return verifier_fail_code(v, "Bad instruction");
        v->starts[bci] = in.opcode == OP_new ? START_PLAIN | START_NEW : START_PLAIN;
    }
    return true;
}

/* An instruction begins at bci, or the code ends there where it may; value is what the
   table has. */
static bool
check_start(struct verifier *v, uint32_t bci, bool may_end, const char *what,
            unsigned value)
{
    uint32_t end = v->m->code_length;

    return (may_end && bci == end) || (bci < end && v->starts[bci] != 0) ||
           verifier_fail_format(v, false, "Illegal %s %u", what, value);
}

static bool
check_handler(struct verifier *v, const struct cf_handler *h)
{
    struct vorigin caught, wanted;
    int fits;

    if (!check_start(v, h->start_pc, false, "exception table start_pc", h->start_pc) ||
        !check_start(v, h->end_pc, true, "exception table end_pc", h->end_pc) ||
        !check_start(v, h->handler_pc, false, "exception table handler_pc",
                     h->handler_pc))
        return false;
    if (h->catch_type == 0)
        return true;
    v->now.bci = h->handler_pc;
    caught = vorigin_of(FROM_POOL, h->catch_type,
                        vtype_object(cf_name(v->cf, h->catch_type)));
    wanted = vorigin_of(FROM_CONTEXT, 0, vtype_object(v->throwable));
    fits = vtype_assignable(v, &caught.type, &wanted.type, false);
    if (fits == 0)
        verifier_fail_type(v, caught, wanted, "Catch type is not a subclass of "
                           "Throwable in exception handler %u", h->handler_pc);
    return fits > 0;
}

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
                         l->start_pc) ||
            !check_start(v, (uint32_t)l->start_pc + l->length, true,
                         "local variable table length", l->length))
            return false;
    }
    return true;
}

/* The small integers stay apart in a return type, for the message alone. */
static void
set_return_type(struct verifier *v)
{
    struct descriptor_type type;
    struct vtype types[2];

    if (!descriptor_return(v->m->descriptor, &type))
        return;
    v->return_type = vtype_of(vkind_of_letter(type.kind));
    if (descriptor_kind_is_reference(type.kind) &&
        vtype_of_descriptor(v, &type, types) == 1)
        v->return_type = types[0];
}

/* The frame in which the method begins (JVMS 4.10.1.6). */
static bool
set_arguments(struct verifier *v)
{
    struct descriptor_iter it = descriptor_parameters(v->m->descriptor);
    struct descriptor_type type;
    struct vframe *f = &v->now;

    memset(f, 0, sizeof *f);
    v->locals_changed = true;
    f->locals = verifier_alloc(v, v->m->max_locals, sizeof *f->locals);
    f->stack = verifier_alloc(v, v->m->max_stack + 1u, sizeof *f->stack);
    if (f->locals == NULL || f->stack == NULL)
        return false;
    if (!(v->m->access_flags & ACC_STATIC)) {
        f->this_uninit = v->m->name == v->init && v->cf->this_class != v->object;
        f->locals[f->locals_size++] = f->this_uninit
                                          ? vtype_of(V_UNINITIALIZED_THIS)
                                          : vtype_object(v->cf->this_class);
    }
    while (descriptor_next(&it, &type))
        f->locals_size += vtype_of_descriptor(v, &type, f->locals + f->locals_size);
    set_return_type(v);
    return v->result->status == VERIFY_OK;
}

static bool
verify_method(struct verifier *v, const struct cf_method *m)
{
    bool ok;

    v->m = m;
    v->arena_left = METHOD_MEMORY;
    ok = set_arguments(v) && mark_starts(v) && check_tables(v) && stackmap_read(v) &&
         verify_code(v);
    arena_release(&v->arena);
    return ok;
}

void
verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
             struct verify_result *result)
{
    struct verifier v = {
        .cf = cf,
        .hooks = hooks,
        .result = result,
        .object = symbol_of("java/lang/Object"),
        .throwable = symbol_of("java/lang/Throwable"),
        .init = symbol_of("<init>"),
        .clone = symbol_of("clone"),
        .cloneable = symbol_of("java/lang/Cloneable"),
        .serializable = symbol_of("java/io/Serializable"),
    };

    memset(result, 0, sizeof *result);
    snprintf(v.class_name, sizeof v.class_name, "%s", cf->this_class->bytes);
    for (char *at = v.class_name; (at = strchr(at, '/')) != NULL;)
        *at = '.';
    for (unsigned i = 0; i < cf->method_count; i++) {
        if (hooks->verified_meanwhile != NULL &&
            hooks->verified_meanwhile(hooks->context))
            return;
        if (cf->methods[i].has_code && !verify_method(&v, &cf->methods[i]))
            return;
    }
}
