/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/framemap.c -- what the slots of a frame hold, at each bytecode.
 *
 * The analysis is a forward dataflow analysis with a worklist.
 *
 * mark_blocks decodes the code once and finds the basic blocks.  For each block,
 * `states` has the frame at its entry: the merge of the frames with which all paths
 * found so far come to it.  Two different kinds merge to SLOT_UNUSABLE, so a slot
 * changes at most once after the first visit, and the analysis ends.  interpret_block
 * takes a block from the worklist, executes its instructions on a copy of the entry
 * frame, and merges the result into the blocks that follow.  A block whose entry frame
 * changes by that goes on the worklist.  The worklist is linked through the program
 * points themselves.
 *
 * An exception may leave a block at each of its instructions, with the locals as they
 * are before it.  The handlers are therefore merged with the locals at the block's
 * entry and after each store.
 *
 * A subroutine runs in a context of its own for each jsr that leads to it.  The kind of
 * a return address tells the nesting depth of its subroutine, which is how ret finds
 * the context that it ends, even if it leaves several subroutines at once.
 *
 * Frames are kept for the entries of blocks only.  To get the frame at another
 * bytecode, framemap_at executes the block again from its leader up to that bytecode,
 * in each context, and merges what it gets.
 */

#include "classfile/framemap.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"

enum {
    /* A nesting depth has to fit into a kind, which is a byte. */
    MAX_NESTING = 255 - SLOT_FIRST_RETURN_ADDRESS,
    MAX_CONTEXTS = 4096
};

/* Values of framemap_point.state and .next: nothing, and the end of the worklist. */
#define NONE UINT32_MAX
#define END_OF_LIST (UINT32_MAX - 1)

struct analysis {
    struct framemap_code *code;
    const struct classfile *cf;
    const struct cf_method *m;
    /* Of the bytecodes. */
    uint32_t length;
    /* The frame that instructions are executed on, and its context. */
    struct abstract_frame frame;
    uint32_t context;
    /* The locals have changed since they were merged into the handlers. */
    bool locals_changed;
    /* The number of the first point on the worklist, or END_OF_LIST. */
    uint32_t worklist;
    enum framemap_status status;
};

/* Ends the analysis because of the instruction at bci.  Always returns false, so that
   callers can return it; so does no_memory. */
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

/* Sets the flags of the targets of one instruction.  A target that is outside of the
   code is an error; that an instruction begins at each is checked in mark_blocks, when
   all are known. */
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

/* Finds where instructions and basic blocks begin, and sets all flags but
   CODE_REACHED. */
static bool
mark_blocks(struct analysis *a)
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

/*
 * Merges f into the entry frame of the block at bci in the context, and puts the block
 * on the worklist if that changes it.  The first frame that comes to a block becomes
 * its entry frame as it is.  Fails if f does not have as many operands as other paths
 * bring, in any context, or without memory.
 */
static bool
merge_into(struct analysis *a, uint32_t context, uint32_t bci,
           const struct abstract_frame *f)
{
    struct framemap_code *c = a->code;
    uint32_t number = context * a->length + bci;
    struct framemap_point *point = &c->points[number];
    size_t size = (size_t)a->m->max_locals + f->depth;
    bool fresh = point->state == NONE, changed = fresh;
    uint8_t *old;

    if ((c->flags[bci] & CODE_REACHED) != 0 && c->depth[bci] != f->depth)
        return bad_code(a, bci);
    c->flags[bci] |= CODE_REACHED;
    c->depth[bci] = (uint16_t)f->depth;
    if (fresh) {
        /* The offset of a state must stay below NONE.  One byte more is reserved so
           that states.data is not NULL if size is 0. */
        if (c->states.length > END_OF_LIST / 2
            || !buf_try_reserve(&c->states, size + 1))
            return no_memory(a);
        point->state = (uint32_t)c->states.length;
        buf_append(&c->states, f->kinds, size);
    }
    old = c->states.data + point->state;
    for (size_t i = 0; i < size && !fresh; i++)
        if (old[i] != f->kinds[i] && old[i] != SLOT_UNUSABLE) {
            old[i] = SLOT_UNUSABLE;
            changed = true;
        }
    if (changed && point->next == NONE) {
        point->next = a->worklist;
        a->worklist = number;
    }
    return true;
}

/*
 * Merges the locals, with the exception as the only operand, into every handler that
 * covers bci.  scratch has room for a frame.
 */
static bool
merge_into_handlers(struct analysis *a, uint32_t bci, uint8_t *scratch)
{
    unsigned locals = a->m->max_locals;
    struct abstract_frame f = { scratch, 1 };
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
        if (!merge_into(a, a->context, h->handler_pc, &f))
            return false;
    }
    return true;
}

/* Appends a context with its program points, which no path has come to yet; *number
   becomes its number.  Both arrays may move.  More than MAX_CONTEXTS count as bad
   code: contexts can double with each level of nesting, and no compiler makes so
   many. */
static bool
add_context(struct analysis *a, const struct framemap_context *context,
            uint32_t *number)
{
    struct framemap_code *c = a->code;
    size_t count = c->context_count + 1, slots = count * a->length;
    struct framemap_point *points;
    struct framemap_context *contexts;

    if (count > MAX_CONTEXTS)
        return bad_code(a, context->return_bci);
    contexts = mem_try_realloc(c->contexts, count * sizeof *contexts);
    if (!contexts)
        return no_memory(a);
    c->contexts = contexts;
    points = mem_try_realloc(c->points, slots * sizeof *points);
    if (!points)
        return no_memory(a);
    c->points = points;
    memset(points + slots - a->length, 0xff, a->length * sizeof *points);
    contexts[c->context_count] = *context;
    *number = c->context_count++;
    return true;
}

/*
 * jsr: continues at the subroutine, in the context that belongs to this jsr in the
 * current context.  A subroutine must not call itself, neither directly nor by way of
 * others (JVMS 4.9.2), so its target is compared with those of all that are under way.
 * The context is found again, or made, by its parent and the place where it returns.
 */
static bool
call_subroutine(struct analysis *a, const struct instruction *in)
{
    struct framemap_code *c = a->code;
    struct framemap_context context = { a->context, in->bci + in->length,
                                        (uint32_t)in->operand,
                                        c->contexts[a->context].nesting + 1 };
    uint32_t number = 1;

    if (context.nesting > MAX_NESTING)
        return bad_code(a, in->bci);
    for (uint32_t w = a->context; w != 0; w = c->contexts[w].parent)
        if (c->contexts[w].target == context.target)
            return bad_code(a, in->bci);
    while (number < c->context_count
           && !(c->contexts[number].parent == context.parent
                && c->contexts[number].return_bci == context.return_bci))
        number++;
    if (number == c->context_count && !add_context(a, &context, &number))
        return false;
    if (!abstract_push(a->m, &a->frame,
                       (uint8_t)(SLOT_FIRST_RETURN_ADDRESS + context.nesting)))
        return bad_code(a, in->bci);
    return merge_into(a, number, context.target, &a->frame);
}

/*
 * ret: continues behind the jsr whose return address the local holds.  If that is an
 * outer one, the subroutines inside of it end too.  The kind of the local tells the
 * nesting depth of the subroutine that ends; context 0 has depth 0 and no return
 * address, so SLOT_FIRST_RETURN_ADDRESS itself is none.
 */
static bool
return_from_subroutine(struct analysis *a, const struct instruction *in)
{
    const struct framemap_context *contexts = a->code->contexts;
    uint8_t kind = a->frame.kinds[in->index];
    uint32_t w = a->context;

    if (kind <= SLOT_FIRST_RETURN_ADDRESS)
        return bad_code(a, in->bci);
    while (w != 0 && contexts[w].nesting > (uint32_t)kind - SLOT_FIRST_RETURN_ADDRESS)
        w = contexts[w].parent;
    if (w == 0 || contexts[w].return_bci >= a->length)
        return bad_code(a, in->bci);
    return merge_into(a, contexts[w].parent, contexts[w].return_bci, &a->frame);
}

/* Merges the frame into everything that the instruction jumps to.  The next instruction
   is interpret_block's matter. */
static bool
merge_into_successors(struct analysis *a, const struct instruction *in)
{
    if (opcode_table[in->opcode].flow == FLOW_JSR)
        return call_subroutine(a, in);
    if (opcode_table[in->opcode].flow == FLOW_RET)
        return return_from_subroutine(a, in);
    for (uint32_t i = 0; i < opcode_target_count(in); i++)
        if (!merge_into(a, a->context, (uint32_t)opcode_target(in, i), &a->frame))
            return false;
    return true;
}

/* Executes the basic block at bci on its entry frame, in the context a->context, and
   merges the frames that come out into its successors and handlers.  scratch has room
   for a frame.  The entry frame is copied first, since merging may move the states. */
static bool
interpret_block(struct analysis *a, uint32_t bci, uint8_t *scratch)
{
    struct framemap_code *c = a->code;
    uint8_t *kinds = c->states.data + c->points[a->context * a->length + bci].state;
    struct instruction in;

    a->frame.depth = c->depth[bci];
    memcpy(a->frame.kinds, kinds, (size_t)a->m->max_locals + a->frame.depth);
    a->locals_changed = true;
    for (;;) {
        c->flags[bci] |= CODE_REACHED;
        c->depth[bci] = (uint16_t)a->frame.depth;
        if (a->locals_changed && a->m->handler_count > 0
            && !merge_into_handlers(a, bci, scratch))
            return false;
        opcode_decode(a->m->code, a->length, bci, &in);
        if (!abstract_execute(a->cf, a->m, &a->frame, &in))
            return bad_code(a, bci);
        a->locals_changed = opcode_is_store(in.opcode);
        if (!merge_into_successors(a, &in))
            return false;
        if (!opcode_falls_through(in.opcode))
            return true;
        bci += in.length;
        if (bci >= a->length)
            return bad_code(a, in.bci);
        if ((c->flags[bci] & CODE_LEADER) != 0)
            return merge_into(a, a->context, bci, &a->frame);
    }
}

/* Merges into the first block the frame in which the method begins: the receiver, if
   any, and the arguments; other locals are SLOT_UNUSABLE.  The arguments fit into the
   locals, as the parser has checked. */
static bool
set_entry_frame(struct analysis *a)
{
    const struct cf_method *m = a->m;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    unsigned at = 0;

    if (!(m->access_flags & ACC_STATIC))
        a->frame.kinds[at++] = SLOT_REFERENCE;
    while (descriptor_next(&it, &type)) {
        a->frame.kinds[at] = slot_kind_of(type.kind);
        if (descriptor_kind_slots(type.kind) == 2)
            a->frame.kinds[++at] = SLOT_HALF;
        at++;
    }
    return merge_into(a, 0, 0, &a->frame);
}

/* Runs the whole analysis: finds the blocks, begins with the first one, and goes on
   until the worklist is empty.  The memory is for two frames, the current one and
   scratch.  Returns false, with a->status, if the code is bad or memory runs out. */
static bool
run_worklist(struct analysis *a)
{
    size_t slots = (size_t)a->m->max_locals + a->m->max_stack + 1;
    uint8_t *kinds = mem_try_calloc(2, slots);
    uint32_t context;
    bool ok;

    if (!kinds)
        return no_memory(a);
    a->frame.kinds = kinds;
    ok = mark_blocks(a) && add_context(a, &(struct framemap_context){ 0 }, &context)
         && set_entry_frame(a);
    while (ok && a->worklist != END_OF_LIST) {
        uint32_t number = a->worklist;

        a->worklist = a->code->points[number].next;
        a->code->points[number].next = NONE;
        a->context = number / a->length;
        ok = interpret_block(a, number % a->length, kinds + slots);
    }
    mem_free(kinds);
    return ok;
}

enum framemap_status
framemap_analyze(const struct classfile *cf, const struct cf_method *m,
                 struct framemap_code *code)
{
    struct analysis a = { .code = code,
                          .cf = cf,
                          .m = m,
                          .length = m->code_length,
                          .worklist = END_OF_LIST };

    memset(code, 0, sizeof *code);
    code->cf = cf;
    code->method = m;
    code->flags = mem_try_calloc(m->code_length, 1);
    code->depth = mem_try_calloc(m->code_length, sizeof *code->depth);
    if (!code->flags || !code->depth)
        no_memory(&a);
    else
        run_worklist(&a);
    if (a.status != FRAMEMAP_OK)
        framemap_release(code);
    return a.status;
}

void
framemap_release(struct framemap_code *code)
{
    mem_free(code->flags);
    mem_free(code->depth);
    mem_free(code->contexts);
    mem_free(code->points);
    buf_release(&code->states);
    *code = (struct framemap_code){ .error_bci = code->error_bci };
}

/* Sets f to the frame before bci in one context, where leader begins bci's block.
   Returns false if that context never comes there.  Results of abstract_execute are
   not looked at, as the same code was executed in the analysis. */
static bool
frame_in_context(const struct framemap_code *code, uint32_t context, uint32_t leader,
                 uint32_t bci, struct abstract_frame *f)
{
    const struct cf_method *m = code->method;
    uint32_t state = code->points[context * m->code_length + leader].state;
    struct instruction in;

    if (state == NONE)
        return false;
    f->depth = code->depth[leader];
    memcpy(f->kinds, code->states.data + state, (size_t)m->max_locals + f->depth);
    for (uint32_t at = leader; at < bci; at += in.length) {
        opcode_decode(m->code, m->code_length, at, &in);
        abstract_execute(code->cf, m, f, &in);
    }
    return true;
}

/*
 * Merges the kinds that a slot has in two contexts.  If one of them is a reference, the
 * slot is ambiguous, since the two callers of the subroutine disagree, and each may go
 * on using what it had (framemap.h).
 */
static uint8_t
merge_contexts(uint8_t a, uint8_t b)
{
    if (a == b)
        return a;
    if (a == SLOT_REFERENCE || b == SLOT_REFERENCE || a == SLOT_AMBIGUOUS)
        return SLOT_AMBIGUOUS;
    if (a >= SLOT_FIRST_RETURN_ADDRESS && b >= SLOT_FIRST_RETURN_ADDRESS)
        return a;
    return SLOT_UNUSABLE;
}

/* Sets f to the merge of the frames before bci in all contexts.  scratch has room for a
   frame. */
static void
frame_of_all_contexts(const struct framemap_code *code, uint32_t bci,
                      struct abstract_frame *f, uint8_t *scratch)
{
    uint32_t leader = bci;
    bool first = true;

    while ((code->flags[leader] & CODE_LEADER) == 0)
        leader--;
    for (uint32_t context = 0; context < code->context_count; context++) {
        struct abstract_frame other = { first ? f->kinds : scratch, 0 };

        if (!frame_in_context(code, context, leader, bci, &other))
            continue;
        f->depth = other.depth;
        for (unsigned i = 0; !first && i < code->method->max_locals + f->depth; i++)
            f->kinds[i] = merge_contexts(f->kinds[i], scratch[i]);
        first = false;
    }
    for (unsigned i = 0; i < code->method->max_locals + f->depth; i++)
        if (f->kinds[i] >= SLOT_FIRST_RETURN_ADDRESS)
            f->kinds[i] = SLOT_RETURN_ADDRESS;
}

bool
framemap_at(const struct framemap_code *code, uint32_t bci, struct framemap *out)
{
    const struct cf_method *m = code->method;
    size_t slots = (size_t)m->max_locals + m->max_stack + 1;
    struct abstract_frame f;

    memset(out, 0, sizeof *out);
    if (bci >= m->code_length || !(code->flags[bci] & CODE_START))
        return false;
    out->kinds = mem_try_calloc(2, slots);
    if (!out->kinds)
        return false;
    out->max_locals = m->max_locals;
    out->reached = (code->flags[bci] & CODE_REACHED) != 0;
    if (out->reached) {
        f = (struct abstract_frame){ out->kinds, 0 };
        frame_of_all_contexts(code, bci, &f, out->kinds + slots);
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
