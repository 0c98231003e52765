/* SPDX-License-Identifier: MIT */
/* minivm/classfile/framemap.c -- what the slots of a frame hold, by bytecode. */

#include "classfile/framemap.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"

enum {
    /* The first of the kinds that stand for return addresses: above it, each tells how
       deeply nested the subroutine is that it leads back from. */
    FIRST_RETURN_ADDRESS = 16,
    MAX_NESTING = 255 - FIRST_RETURN_ADDRESS,
    MAX_WAYS = 4096
};

/* ---- one instruction ---- */

/* The kind of a value by its letter in a descriptor or in the opcode table. */
static uint8_t
kind_of(char letter)
{
    static const uint8_t kinds[128] = {
        ['J'] = SLOT_LONG,      ['D'] = SLOT_DOUBLE,    ['F'] = SLOT_FLOAT,
        ['A'] = SLOT_REFERENCE, ['L'] = SLOT_REFERENCE, ['['] = SLOT_REFERENCE,
    };
    uint8_t kind = kinds[letter & 127];

    return kind == 0 ? SLOT_INT : kind;
}

bool
step_push(const struct cf_method *m, struct step_frame *f, uint8_t kind)
{
    bool wide = kind == SLOT_LONG || kind == SLOT_DOUBLE;
    uint8_t *top = f->kinds + m->max_locals + f->depth;

    if (f->depth + 1 + wide > m->max_stack)
        return false;
    top[0] = kind;
    if (wide)
        top[1] = SLOT_HALF;
    f->depth += 1 + wide;
    return true;
}

static bool
pop(struct step_frame *f, unsigned slots)
{
    if (f->depth < slots)
        return false;
    f->depth -= slots;
    return true;
}

static bool
push_type(const struct cf_method *m, struct step_frame *f, char kind)
{
    return kind == 'V' || step_push(m, f, kind_of(kind));
}

static unsigned
letter_slots(const char *letters)
{
    unsigned slots = 0;

    for (; *letters != '\0'; letters++)
        slots += *letters == 'J' || *letters == 'D' ? 2 : 1;
    return slots;
}

static void
set_local(struct step_frame *f, unsigned max_locals, unsigned index, uint8_t kind)
{
    uint8_t *local = f->kinds + index;

    if (*local == SLOT_HALF && index > 0)
        local[-1] = SLOT_UNUSABLE;
    if ((*local == SLOT_LONG || *local == SLOT_DOUBLE) && index + 1 < max_locals)
        local[1] = SLOT_UNUSABLE;
    *local = kind;
}

static bool
step_store(const struct cf_method *m, struct step_frame *f, unsigned index, char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind;

    if (index + wide >= m->max_locals || !pop(f, 1 + wide))
        return false;
    /* Only astore takes what is there: it may be a return address. */
    kind = letter == 'A' ? f->kinds[m->max_locals + f->depth] : kind_of(letter);
    if (letter == 'A' && kind != SLOT_REFERENCE && kind < FIRST_RETURN_ADDRESS)
        kind = SLOT_UNUSABLE;
    set_local(f, m->max_locals, index, kind);
    if (wide) {
        set_local(f, m->max_locals, index + 1, SLOT_HALF);
        f->kinds[index] = kind;
    }
    return true;
}

static bool
step_load(const struct cf_method *m, struct step_frame *f, unsigned index, char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind = kind_of(letter);

    if (index + wide >= m->max_locals)
        return false;
    /* What no verifier would load must not look like a reference. */
    if (letter == 'A' && f->kinds[index] != SLOT_REFERENCE)
        kind = SLOT_UNUSABLE;
    return step_push(m, f, kind);
}

static bool
step_shuffle(const struct cf_method *m, struct step_frame *f, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    uint8_t old[4], *base;

    if (f->depth < s->takes || f->depth - s->takes + s->leaves > m->max_stack)
        return false;
    f->depth -= s->takes;
    base = f->kinds + m->max_locals + f->depth;
    memcpy(old, base, s->takes);
    for (unsigned i = 0; i < s->leaves; i++)
        base[i] = old[s->from[i]];
    f->depth += s->leaves;
    return true;
}

static bool
step_ldc(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
         unsigned index)
{
    const struct symbol *descriptor = cf_constant_type(cf, index);
    struct descriptor_type type;

    return descriptor != NULL && descriptor_field(descriptor, &type) &&
           push_type(m, f, type.kind);
}

static bool
step_field(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
           const struct instruction *in)
{
    bool is_static = in->opcode == OP_getstatic || in->opcode == OP_putstatic;
    bool put = in->opcode == OP_putstatic || in->opcode == OP_putfield;
    struct descriptor_type type;

    if (cf_tag_at(cf, in->index) != CF_FIELDREF ||
        !descriptor_field(cf_member(cf, in->index).descriptor, &type))
        return false;
    return pop(f, (put ? descriptor_kind_slots(type.kind) : 0) + !is_static) &&
           (put || push_type(m, f, type.kind));
}

static bool
step_invoke(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
            const struct instruction *in)
{
    enum cf_tag tag = cf_tag_at(cf, in->index);
    bool dynamic = in->opcode == OP_invokedynamic;
    const struct symbol *descriptor;
    struct descriptor_type result;
    int slots;

    if (dynamic ? tag != CF_INVOKE_DYNAMIC
                : tag != CF_METHODREF && tag != CF_INTERFACE_METHODREF)
        return false;
    descriptor = cf_member(cf, in->index).descriptor;
    slots = descriptor_arg_slots(descriptor);
    if (slots < 0 || !descriptor_return(descriptor, &result))
        return false;
    if (!dynamic && in->opcode != OP_invokestatic)
        slots++;
    return pop(f, (unsigned)slots) && push_type(m, f, result.kind);
}

bool
step_apply(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
           const struct instruction *in)
{
    const struct opcode_info *info = &opcode_table[in->opcode];
    uint8_t op = in->opcode;

    if (opcode_is_load(op))
        return step_load(m, f, in->index, info->pushes[0]);
    if (opcode_is_store(op))
        return step_store(m, f, in->index, info->pops[0]);
    if (op >= OP_pop && op <= OP_swap)
        return step_shuffle(m, f, op);
    if (op >= OP_ldc && op <= OP_ldc2_w)
        return step_ldc(cf, m, f, in->index);
    if (op >= OP_getstatic && op <= OP_putfield)
        return step_field(cf, m, f, in);
    if (op >= OP_invokevirtual && op <= OP_invokedynamic)
        return step_invoke(cf, m, f, in);
    if (op == OP_iinc || op == OP_ret)
        return in->index < m->max_locals;
    if (op == OP_jsr || op == OP_jsr_w)
        return true;
    if (op == OP_multianewarray)
        return pop(f, (unsigned)in->operand) && step_push(m, f, SLOT_REFERENCE);
    return pop(f, letter_slots(info->pops)) &&
           (info->pushes[0] == '\0' || step_push(m, f, kind_of(info->pushes[0])));
}

/* ---- a method ---- */

#define NONE UINT32_MAX
#define LAST (UINT32_MAX - 1)

struct analysis {
    struct framemap_code *code;
    const struct classfile *cf;
    const struct cf_method *m;
    uint32_t length;                   /* of the bytecodes */
    struct step_frame frame;
    uint32_t way;                      /* that the frame is on */
    bool locals_changed;               /* handlers have not seen the locals */
    uint32_t work;                     /* the first place to be looked at, or LAST */
    enum framemap_status status;
};

static bool
bad_code(struct analysis *a, uint32_t bci)
{
    a->status = FRAMEMAP_BAD_CODE;
    a->code->error_bci = bci;
    return false;
}

static bool
no_memory(struct analysis *a)
{
    a->status = FRAMEMAP_NO_MEMORY;
    return false;
}

static bool
mark_targets(struct analysis *a, const struct instruction *in)
{
    for (uint32_t i = 0; i < opcode_target_count(in); i++) {
        int32_t target = opcode_target(in, i);

        if (target < 0 || (uint32_t)target >= a->length)
            return bad_code(a, in->bci);
        a->code->flags[target] |= CODE_TARGET | CODE_LEADER;
        if ((uint32_t)target <= in->bci)
            a->code->flags[target] |= CODE_LOOP;
    }
    return true;
}

/* Find where instructions and basic blocks begin. */
static bool
mark_code(struct analysis *a)
{
    uint8_t *flags = a->code->flags;
    struct instruction in;

    flags[0] |= CODE_LEADER;
    for (uint32_t bci = 0; bci < a->length; bci += in.length) {
        flags[bci] |= CODE_START;
        if (!opcode_decode(a->m->code, a->length, bci, &in))
            return bad_code(a, bci);
        if (!mark_targets(a, &in))
            return false;
        if (opcode_table[in.opcode].flow != FLOW_NEXT && bci + in.length < a->length)
            flags[bci + in.length] |= CODE_LEADER;
    }
    for (unsigned i = 0; i < a->m->handler_count; i++) {
        const struct cf_handler *h = &a->m->handlers[i];

        flags[h->handler_pc] |= CODE_HANDLER | CODE_LEADER;
        flags[h->start_pc] |= CODE_LEADER;
    }
    for (uint32_t bci = 0; bci < a->length; bci++)
        if ((flags[bci] & CODE_LEADER) != 0 && !(flags[bci] & CODE_START))
            return bad_code(a, bci);
    return true;
}

/* A frame reaches the leader at bci on some way. */
static bool
flow_to(struct analysis *a, uint32_t way, uint32_t bci, const struct step_frame *f)
{
    struct framemap_code *c = a->code;
    uint32_t number = way * a->length + bci;
    struct framemap_place *place = &c->places[number];
    size_t size = (size_t)a->m->max_locals + f->depth;
    bool fresh = place->state == NONE, changed = fresh;
    uint8_t *old;

    if ((c->flags[bci] & CODE_REACHED) != 0 && c->depth[bci] != f->depth)
        return bad_code(a, bci);
    c->flags[bci] |= CODE_REACHED;
    c->depth[bci] = (uint16_t)f->depth;
    if (fresh) {
        if (c->states.length > LAST / 2 || !buf_try_reserve(&c->states, size + 1))
            return no_memory(a);
        place->state = (uint32_t)c->states.length;
        buf_append(&c->states, f->kinds, size);
    }
    old = c->states.data + place->state;
    for (size_t i = 0; i < size && !fresh; i++)
        if (old[i] != f->kinds[i] && old[i] != SLOT_UNUSABLE) {
            old[i] = SLOT_UNUSABLE;
            changed = true;
        }
    if (changed && place->next == NONE) {
        place->next = a->work;
        a->work = number;
    }
    return true;
}

/* The locals reach every handler that covers bci. */
static bool
flow_to_handlers(struct analysis *a, uint32_t bci, uint8_t *scratch)
{
    unsigned locals = a->m->max_locals;
    struct step_frame f = { scratch, 1 };
    bool copied = false;

    for (unsigned i = 0; i < a->m->handler_count; i++) {
        const struct cf_handler *h = &a->m->handlers[i];

        if (bci < h->start_pc || bci >= h->end_pc)
            continue;
        if (a->m->max_stack < 1)
            return bad_code(a, h->handler_pc);
        if (!copied) {
            memcpy(scratch, a->frame.kinds, locals);
            scratch[locals] = SLOT_REFERENCE;
            copied = true;
        }
        if (!flow_to(a, a->way, h->handler_pc, &f))
            return false;
    }
    return true;
}

static bool
add_way(struct analysis *a, const struct framemap_way *way, uint32_t *number)
{
    struct framemap_code *c = a->code;
    size_t count = c->way_count + 1, slots = count * a->length;
    struct framemap_place *places;
    struct framemap_way *ways;

    if (count > MAX_WAYS)
        return bad_code(a, way->return_bci);
    ways = mem_try_realloc(c->ways, count * sizeof *ways);
    if (ways == NULL)
        return no_memory(a);
    c->ways = ways;
    places = mem_try_realloc(c->places, slots * sizeof *places);
    if (places == NULL)
        return no_memory(a);
    c->places = places;
    memset(places + slots - a->length, 0xff, a->length * sizeof *places);
    ways[c->way_count] = *way;
    *number = c->way_count++;
    return true;
}

/* jsr: on to the subroutine, on a way of its own. */
static bool
call_subroutine(struct analysis *a, const struct instruction *in)
{
    struct framemap_code *c = a->code;
    struct framemap_way way = { a->way, in->bci + in->length, (uint32_t)in->operand,
                                c->ways[a->way].nesting + 1 };
    uint32_t number = 1;

    if (way.nesting > MAX_NESTING)
        return bad_code(a, in->bci);
    for (uint32_t w = a->way; w != 0; w = c->ways[w].parent)
        if (c->ways[w].target == way.target)
            return bad_code(a, in->bci); /* recursive */
    while (number < c->way_count && !(c->ways[number].parent == way.parent &&
                                      c->ways[number].return_bci == way.return_bci))
        number++;
    if (number == c->way_count && !add_way(a, &way, &number))
        return false;
    if (!step_push(a->m, &a->frame, (uint8_t)(FIRST_RETURN_ADDRESS + way.nesting)))
        return bad_code(a, in->bci);
    return flow_to(a, number, way.target, &a->frame);
}

/* ret: back to where the return address says, perhaps out of several at once. */
static bool
return_from_subroutine(struct analysis *a, const struct instruction *in)
{
    const struct framemap_way *ways = a->code->ways;
    uint8_t kind = a->frame.kinds[in->index];
    uint32_t w = a->way;

    if (kind <= FIRST_RETURN_ADDRESS)
        return bad_code(a, in->bci);
    while (w != 0 && ways[w].nesting > (uint32_t)kind - FIRST_RETURN_ADDRESS)
        w = ways[w].parent;
    if (w == 0 || ways[w].return_bci >= a->length)
        return bad_code(a, in->bci);
    return flow_to(a, ways[w].parent, ways[w].return_bci, &a->frame);
}

/* Where control goes after the instruction, but for falling through. */
static bool
flow_out(struct analysis *a, const struct instruction *in)
{
    if (opcode_table[in->opcode].flow == FLOW_JSR)
        return call_subroutine(a, in);
    if (opcode_table[in->opcode].flow == FLOW_RET)
        return return_from_subroutine(a, in);
    for (uint32_t i = 0; i < opcode_target_count(in); i++)
        if (!flow_to(a, a->way, (uint32_t)opcode_target(in, i), &a->frame))
            return false;
    return true;
}

/* Follow one basic block from its leader on. */
static bool
run_block(struct analysis *a, uint32_t bci, uint8_t *scratch)
{
    struct framemap_code *c = a->code;
    uint8_t *kinds = c->states.data + c->places[a->way * a->length + bci].state;
    struct instruction in;

    a->frame.depth = c->depth[bci];
    memcpy(a->frame.kinds, kinds, (size_t)a->m->max_locals + a->frame.depth);
    a->locals_changed = true;
    for (;;) {
        c->flags[bci] |= CODE_REACHED;
        c->depth[bci] = (uint16_t)a->frame.depth;
        if (a->locals_changed && a->m->handler_count > 0 &&
            !flow_to_handlers(a, bci, scratch))
            return false;
        opcode_decode(a->m->code, a->length, bci, &in);
        if (!step_apply(a->cf, a->m, &a->frame, &in))
            return bad_code(a, bci);
        a->locals_changed = opcode_is_store(in.opcode);
        if (!flow_out(a, &in))
            return false;
        if (!opcode_falls_through(in.opcode))
            return true;
        bci += in.length;
        if (bci >= a->length)
            return bad_code(a, in.bci);
        if ((c->flags[bci] & CODE_LEADER) != 0)
            return flow_to(a, a->way, bci, &a->frame);
    }
}

static bool
set_arguments(struct analysis *a)
{
    const struct cf_method *m = a->m;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    unsigned at = 0;

    if (!(m->access_flags & ACC_STATIC))
        a->frame.kinds[at++] = SLOT_REFERENCE;
    while (descriptor_next(&it, &type)) {
        a->frame.kinds[at] = kind_of(type.kind);
        if (descriptor_kind_slots(type.kind) == 2)
            a->frame.kinds[++at] = SLOT_HALF;
        at++;
    }
    return flow_to(a, 0, 0, &a->frame);
}

static bool
run(struct analysis *a)
{
    size_t slots = (size_t)a->m->max_locals + a->m->max_stack + 1;
    uint8_t *kinds = mem_try_calloc(2, slots);
    uint32_t way;
    bool ok;

    if (kinds == NULL)
        return no_memory(a);
    a->frame.kinds = kinds;
    ok = mark_code(a) && add_way(a, &(struct framemap_way){ 0 }, &way) &&
         set_arguments(a);
    while (ok && a->work != LAST) {
        uint32_t number = a->work;

        a->work = a->code->places[number].next;
        a->code->places[number].next = NONE;
        a->way = number / a->length;
        ok = run_block(a, number % a->length, kinds + slots);
    }
    mem_free(kinds);
    return ok;
}

enum framemap_status
framemap_analyze(const struct classfile *cf, const struct cf_method *m,
                 struct framemap_code *code)
{
    struct analysis a = { .code = code, .cf = cf, .m = m, .length = m->code_length,
                          .work = LAST };

    memset(code, 0, sizeof *code);
    code->cf = cf;
    code->method = m;
    code->flags = mem_try_calloc(m->code_length, 1);
    code->depth = mem_try_calloc(m->code_length, sizeof *code->depth);
    if (code->flags == NULL || code->depth == NULL)
        no_memory(&a);
    else
        run(&a);
    if (a.status != FRAMEMAP_OK)
        framemap_release(code);
    return a.status;
}

void
framemap_release(struct framemap_code *code)
{
    mem_free(code->flags);
    mem_free(code->depth);
    mem_free(code->ways);
    mem_free(code->places);
    buf_release(&code->states);
    *code = (struct framemap_code){ .error_bci = code->error_bci };
}

/* The kinds before bci on one way into f; false when it does not come by. */
static bool
frame_on_way(const struct framemap_code *code, uint32_t way, uint32_t leader,
             uint32_t bci, struct step_frame *f)
{
    const struct cf_method *m = code->method;
    uint32_t state = code->places[way * m->code_length + leader].state;
    struct instruction in;

    if (state == NONE)
        return false;
    f->depth = code->depth[leader];
    memcpy(f->kinds, code->states.data + state, (size_t)m->max_locals + f->depth);
    for (uint32_t at = leader; at < bci; at += in.length) {
        opcode_decode(m->code, m->code_length, at, &in);
        step_apply(code->cf, m, f, &in);
    }
    return true;
}

/* Kinds of different ways: here the conflict is between callers of a subroutine. */
static uint8_t
join_ways(uint8_t a, uint8_t b)
{
    if (a == b)
        return a;
    if (a == SLOT_REFERENCE || b == SLOT_REFERENCE || a == SLOT_AMBIGUOUS)
        return SLOT_AMBIGUOUS;
    if (a >= FIRST_RETURN_ADDRESS && b >= FIRST_RETURN_ADDRESS)
        return a;
    return SLOT_UNUSABLE;
}

/* The kinds before bci on all ways together into f, scratch as large. */
static void
frame_at(const struct framemap_code *code, uint32_t bci, struct step_frame *f,
         uint8_t *scratch)
{
    uint32_t leader = bci;
    bool first = true;

    while ((code->flags[leader] & CODE_LEADER) == 0)
        leader--;
    for (uint32_t way = 0; way < code->way_count; way++) {
        struct step_frame other = { first ? f->kinds : scratch, 0 };

        if (!frame_on_way(code, way, leader, bci, &other))
            continue;
        f->depth = other.depth;
        for (unsigned i = 0; !first && i < code->method->max_locals + f->depth; i++)
            f->kinds[i] = join_ways(f->kinds[i], scratch[i]);
        first = false;
    }
    for (unsigned i = 0; i < code->method->max_locals + f->depth; i++)
        if (f->kinds[i] >= FIRST_RETURN_ADDRESS)
            f->kinds[i] = SLOT_RETURN_ADDRESS;
}

bool
framemap_at(const struct framemap_code *code, uint32_t bci, struct framemap *out)
{
    const struct cf_method *m = code->method;
    size_t slots = (size_t)m->max_locals + m->max_stack + 1;
    struct step_frame f;

    memset(out, 0, sizeof *out);
    if (bci >= m->code_length || !(code->flags[bci] & CODE_START))
        return false;
    out->kinds = mem_try_calloc(2, slots);
    if (out->kinds == NULL)
        return false;
    out->max_locals = m->max_locals;
    out->reached = (code->flags[bci] & CODE_REACHED) != 0;
    if (out->reached) {
        f = (struct step_frame){ out->kinds, 0 };
        frame_at(code, bci, &f, out->kinds + slots);
        out->depth = (uint16_t)f.depth;
    }
    return true;
}

bool
framemap_compute(const struct classfile *cf, const struct cf_method *m, uint32_t bci,
                 struct framemap *out)
{
    struct framemap_code code;
    bool ok;

    memset(out, 0, sizeof *out);
    if (framemap_analyze(cf, m, &code) != FRAMEMAP_OK)
        return false;
    ok = framemap_at(&code, bci, out);
    framemap_release(&code);
    return ok;
}

void
framemap_clear(struct framemap *map)
{
    mem_free(map->kinds);
    memset(map, 0, sizeof *map);
}
