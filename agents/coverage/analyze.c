/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/analyze.c -- where control can go in a method, and probes on it.
 *
 * An instruction was executed to its end when the one that follows it was, or when a
 * probe behind it was passed.  So there is a probe where ways meet (on each way), at
 * the end of the method, and before each line that calls something, since the call may
 * not come back; in between the single successor knows.  A line whose only call throws
 * is not covered, therefore: the view of JaCoCo, too, and the numbers can be compared.
 */
#include <stdlib.h>
#include <string.h>

#include "coverage.h"

/* What is known of an offset in the code. */
struct place {
    unsigned char arrivals;     /* jumps, handlers, the line above: up to 2 */
    bool falls, calls;          /* from above; a line begins that calls something */
    uint16_t line;
    int32_t item;               /* that begins here */
};

struct walk {
    struct unit *unit;
    struct tf_class *c;
    struct tf_code *code;
    enum probe_place kind;
    unsigned id;
    struct place *places;       /* by offset, one more for the end */
    struct tf_insn **insns;
    struct filtered filtered;
    size_t count;
    struct item *items;
    uint32_t item_count;
    uint32_t base;              /* the number of the method's first item in the unit */
    int32_t open;               /* the item that goes on with the next one, or -1 */
    int32_t *leaders;           /* by item: an index of insns, or -1 */
    uint32_t edge_base;
    bool failed;
};

static void *
grow(void *array, size_t count, size_t more, size_t size)
{
    return realloc(array, (count + more + 1) * size);
}

/* -- probes -- */

void
probe_name(char *name, size_t size, unsigned id, uint32_t p)
{
    if (p == 0)
        snprintf(name, size, FIRST_FIELD "%u", id);
    else
        snprintf(name, size, FIELD "%u", (unsigned)p);
}

static void
emit_probe(struct walk *w, struct tf_insn *at, uint32_t p)
{
    char name[32], holder[64];

    if (w->kind == PROBES_NONE)
        return;
    probe_name(name, sizeof name, w->id, w->kind == PROBES_ARRAY ? 0 : p);
    if (w->kind == PROBES_ARRAY) {
        tf_emit_field(w->code, at, TF_OP_GETSTATIC, tf_class_name(w->c), name, "[Z");
        tf_emit_int(w->code, at, (int32_t)p);
        tf_emit(w->code, at, TF_OP_ICONST_1);
        tf_emit(w->code, at, TF_OP_BASTORE);
        tf_code_reserve(w->code, 3);
        return;
    }
    snprintf(holder, sizeof holder, HOLDER "%u", w->id);
    tf_emit(w->code, at, TF_OP_ICONST_1);
    tf_emit_field(w->code, at, TF_OP_PUTSTATIC,
                  w->kind == PROBES_HOLDER ? holder : tf_class_name(w->c), name, "Z");
    tf_code_reserve(w->code, 1);
}

/* Private, so that the default serialVersionUID stays; those of an interface must be
   public and final (JVMS 4.5). */
void
probe_add_fields(struct tf_class *c, enum probe_place place, unsigned id,
                 uint32_t count)
{
    char name[32];
    struct tf_member *method;
    struct tf_code *code;
    struct tf_insn *at;

    if (count == 0)
        return;
    if (place == PROBES_FIELDS)
        for (uint32_t p = 0; p < count; p++) {
            probe_name(name, sizeof name, id, p);
            tf_class_add_field(c, TF_ACC_PRIVATE | TF_ACC_STATIC | TF_ACC_TRANSIENT
                                  | TF_ACC_SYNTHETIC, name, "Z");
        }
    if (place != PROBES_ARRAY)
        return;
    probe_name(name, sizeof name, id, 0);
    tf_class_add_field(c, TF_ACC_PUBLIC | TF_ACC_STATIC | TF_ACC_FINAL
                          | TF_ACC_SYNTHETIC, name, "[Z");
    method = tf_class_find_method(c, "<clinit>", "()V");
    if (method == NULL) {
        method = tf_class_add_method(c, TF_ACC_STATIC | TF_ACC_SYNTHETIC, "<clinit>",
                                     "()V");
        code = tf_class_code(c, method);
        if (code != NULL)
            tf_emit(code, code->last, TF_OP_RETURN);
    }
    code = tf_class_code(c, method);
    if (code == NULL)
        return;
    at = code->first;
    tf_emit_int(code, at, (int32_t)count);
    tf_emit_operand(code, at, TF_OP_NEWARRAY, 4);
    tf_emit_field(code, at, TF_OP_PUTSTATIC, tf_class_name(c), name, "[Z");
    tf_code_reserve(code, 1);
}

void
probe_holder(struct tf_buffer *out, const char *name, unsigned id, uint32_t count)
{
    char field[32];

    /* Utf8 1 and Class 2: the class; 3 and 4: Object; 5: "Z"; names follow. */
    tf_buffer_u4(out, 0xcafebabe);
    tf_buffer_u4(out, 49);
    tf_buffer_u2(out, 6 + count);
    for (uint32_t i = 0; i < 3 + count; i++) {
        const char *text = i == 0 ? name : i == 1 ? "java/lang/Object" : "Z";

        if (i > 2) {
            probe_name(field, sizeof field, id, i - 3);
            text = field;
        }
        tf_buffer_u1(out, 1);
        tf_buffer_u2(out, (unsigned)strlen(text));
        tf_buffer_text(out, text);
        if (i < 2) {
            tf_buffer_u1(out, 7);
            tf_buffer_u2(out, 2 * i + 1);
        }
    }
    tf_buffer_u2(out, 0x1001 | 0x0020);     /* public, super, synthetic */
    tf_buffer_u2(out, 2);
    tf_buffer_u2(out, 4);
    tf_buffer_u2(out, 0);
    tf_buffer_u2(out, count);
    for (uint32_t p = 0; p < count; p++) {
        tf_buffer_u2(out, TF_ACC_PUBLIC | TF_ACC_STATIC | TF_ACC_SYNTHETIC);
        tf_buffer_u2(out, 6 + p);
        tf_buffer_u2(out, 5);
        tf_buffer_u2(out, 0);
    }
    tf_buffer_u2(out, 0);
    tf_buffer_u2(out, 0);
}

/* -- what arrives where -- */

static bool
is_return(int opcode)
{
    return (opcode >= TF_OP_IRETURN && opcode <= TF_OP_RETURN)
        || opcode == TF_OP_ATHROW;
}

static bool
is_goto(int opcode)
{
    return opcode == TF_OP_GOTO || opcode == TF_OP_GOTO_W;
}

static struct place *
place_of(struct walk *w, const struct tf_insn *label)
{
    return &w->places[label->offset];
}

static void
arrive(struct walk *w, const struct tf_insn *label)
{
    struct place *place = place_of(w, label);

    if (place->arrivals < 2)
        place->arrivals++;
}

static bool
meets(struct walk *w, const struct tf_insn *label)
{
    return place_of(w, label)->arrivals >= 2;
}

/* The i-th way of a switch, from 0: the default first, each target once; NULL where it
   is one that was there before. */
static struct tf_insn *
switch_way(const struct tf_insn *insn, uint32_t i)
{
    struct tf_insn *target = i == 0 ? insn->target : insn->cases->targets[i - 1];

    if (i > 0 && target == insn->target)
        return NULL;
    for (uint32_t k = 1; k < i; k++)
        if (insn->cases->targets[k - 1] == target)
            return NULL;
    return target;
}

static void
find_arrivals(struct walk *w)
{
    struct place *line_start = NULL;
    bool falls = false;

    for (struct tf_line *line = w->code->lines; line != NULL; line = line->next)
        place_of(w, line->start)->line = (uint16_t)line->line;
    for (struct tf_handler *h = w->code->handlers; h != NULL; h = h->next) {
        arrive(w, h->start);
        arrive(w, h->handler);
    }
    arrive(w, w->insns[0]);     /* the call of the method */
    for (size_t i = 0; i < w->count; i++) {
        struct tf_insn *insn = w->insns[i];
        struct place *place = place_of(w, insn);

        if (place->line != 0)
            line_start = place;
        if (falls) {
            place->falls = true;
            arrive(w, insn);
        }
        falls = !is_return(insn->opcode) && !is_goto(insn->opcode)
            && insn->cases == NULL;
        if (insn->opcode >= TF_OP_INVOKEVIRTUAL && insn->opcode <= TF_OP_INVOKEDYNAMIC
            && line_start != NULL)
            line_start->calls = true;
        if (insn->cases != NULL) {
            for (uint32_t k = 0; k <= insn->cases->count; k++)
                if (switch_way(insn, k) != NULL)
                    arrive(w, switch_way(insn, k));
        } else if (insn->target != NULL)
            arrive(w, insn->target);
    }
}

/* -- items and edges -- */

/* Edges to instructions are offsets until all items are known. */
static void
add_edge(struct walk *w, int32_t edge)
{
    struct flow *flow = &w->unit->flow;

    if ((flow->edge_count & 255) == 0) {
        int32_t *edges = grow(flow->edges, flow->edge_count, 256, sizeof *edges);

        if (edges == NULL) {
            w->failed = true;
            return;
        }
        flow->edges = edges;
    }
    flow->edges[flow->edge_count++] = edge;
}

static int32_t
new_probe(struct walk *w, struct tf_insn *at)
{
    uint32_t p = w->unit->probe_count++;

    if (at != NULL)
        emit_probe(w, at, p);
    return ~(int32_t)p;
}

/* A way to a label at which others arrive, too: it goes by a probe at the end of the
   code, where the types are those of the label. */
static struct tf_insn *
detour(struct walk *w, struct tf_insn *label)
{
    struct tf_insn *at;

    if (w->kind == PROBES_NONE) {
        add_edge(w, new_probe(w, NULL));
        return label;
    }
    at = tf_emit_label(w->code, w->code->last);
    tf_frame_copy(w->code, at, label);
    add_edge(w, new_probe(w, w->code->last));
    tf_emit_jump(w->code, w->code->last, TF_OP_GOTO, label);
    return at == NULL ? label : at;
}

static struct tf_insn *
way(struct walk *w, struct tf_insn *label)
{
    if (meets(w, label))
        return detour(w, label);
    add_edge(w, (int32_t)label->offset);
    return label;
}

static uint16_t
switch_ways(struct walk *w, struct tf_insn *insn)
{
    uint32_t count = insn->cases->count, ways = 0;
    struct tf_insn **new_targets = calloc(count + 1, sizeof *new_targets);

    if (new_targets == NULL) {
        w->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i <= count; i++) {
        struct tf_insn *target = switch_way(insn, i);

        if (target != NULL) {
            new_targets[i] = way(w, target);
            ways++;
            continue;
        }
        target = insn->cases->targets[i - 1];
        if (target == insn->target)
            new_targets[i] = new_targets[0];
        for (uint32_t k = 1; k < i && new_targets[i] == NULL; k++)
            if (insn->cases->targets[k - 1] == target)
                new_targets[i] = new_targets[k];
    }
    insn->target = new_targets[0];
    memcpy(insn->cases->targets, new_targets + 1, count * sizeof *new_targets);
    free(new_targets);
    return (uint16_t)(ways < 2 ? 0 : ways > 65535 ? 65535 : ways);
}

/* The item of an instruction: the open one if it can go on. */
static struct item *
take_item(struct walk *w, size_t i, uint16_t line)
{
    struct flow *flow = &w->unit->flow;
    bool ignored = w->filtered.ignored[i];
    int32_t leader = w->filtered.leader[i];
    struct item *item = w->open < 0 ? NULL : &w->items[w->open];

    if (item != NULL && item->line == line && item->ways == 0 && leader == -1
        && w->leaders[w->open] == -1 && (item->insns == 0) == ignored
        && flow->first[w->base + (uint32_t)w->open] == flow->edge_count) {
        item->insns += !ignored;
        return item;
    }
    if (item != NULL)
        add_edge(w, (int32_t)w->insns[i]->offset);
    w->open = (int32_t)w->item_count;
    item = &w->items[w->item_count];
    *item = (struct item){ 0, !ignored, line, 0 };
    w->leaders[w->item_count] = leader;
    flow->first[w->base + w->item_count] = flow->edge_count;
    place_of(w, w->insns[i])->item = (int32_t)(w->base + w->item_count);
    w->item_count++;
    return item;
}

static void
walk_insn(struct walk *w, size_t i, uint16_t line)
{
    struct tf_insn *insn = w->insns[i];
    struct place *place = place_of(w, insn);
    struct item *item;

    if (place->falls && (place->arrivals >= 2 || place->calls)) {
        /* Before the label: only for what comes from above. */
        struct tf_insn *at = insn->prev != NULL && insn->prev->opcode == TF_LABEL
            ? insn->prev : insn;

        if (w->open >= 0)
            add_edge(w, new_probe(w, at));
        w->open = -1;
    }
    item = take_item(w, i, line);
    if (is_return(insn->opcode)) {
        add_edge(w, new_probe(w, insn));
        w->open = -1;
    } else if (is_goto(insn->opcode)) {
        add_edge(w, meets(w, insn->target) ? new_probe(w, insn)
                                           : (int32_t)insn->target->offset);
        w->open = -1;
    } else if (insn->cases != NULL) {
        item->ways = switch_ways(w, insn);
        w->open = -1;
    } else if (insn->target != NULL) {
        insn->target = way(w, insn->target);
        item->ways = 2;
    }
    /* What is ignored counts nowhere, but passes on that it was executed. */
    if (w->filtered.ignored[i])
        item->ways = 0;
}

/* Offsets become items, copies find their leaders. */
static void
resolve(struct walk *w)
{
    struct flow *flow = &w->unit->flow;

    for (uint32_t e = w->edge_base; e < flow->edge_count; e++)
        if (flow->edges[e] >= 0)
            flow->edges[e] = w->places[flow->edges[e]].item;
    for (uint32_t i = 0; i < w->item_count; i++) {
        int32_t own = (int32_t)(w->base + i), leader = w->leaders[i] < 0 ? own
            : place_of(w, w->insns[w->leaders[i]])->item;

        flow->leader[own] = leader;
        if (leader != own)
            w->items[i].insns = 0;
    }
    flow->item_count += w->item_count;
    flow->first[flow->item_count] = flow->edge_count;
}

/* Handlers that reach to the end of the code must not reach over the detours. */
static void
close_handlers(struct tf_code *code)
{
    struct tf_insn *end = tf_emit_label(code, code->last);

    for (struct tf_handler *h = code->handlers; h != NULL; h = h->next)
        if (h->end == code->last)
            h->end = end;
}

static bool
walk_code(struct walk *w)
{
    uint16_t line = 0;

    find_arrivals(w);
    filter_code(w->code, w->insns, w->count, &w->filtered);
    if (w->kind != PROBES_NONE)
        close_handlers(w->code);
    for (size_t i = 0; i < w->count && !w->failed; i++) {
        struct place *place = place_of(w, w->insns[i]);

        if (place->line != 0)
            line = place->line;
        walk_insn(w, i, line);
    }
    if (!w->failed)
        resolve(w);
    return !w->failed;
}

/* -- methods and classes -- */

/* Collect the instructions; false for code that is not for us: subroutines, which no
   compiler makes any more, and what may grow beyond what a jump reaches. */
static bool
collect(struct walk *w, size_t *length)
{
    size_t jumps = 0;

    for (struct tf_insn *insn = w->code->first; insn != NULL; insn = insn->next) {
        if (insn->opcode == TF_LABEL)
            continue;
        if (insn->opcode == TF_OP_JSR || insn->opcode == TF_OP_JSR_W
            || insn->opcode == TF_OP_RET)
            return false;
        jumps += insn->cases != NULL ? insn->cases->count + 1 : insn->target != NULL;
        w->insns[w->count++] = insn;
    }
    *length = (size_t)w->code->last->offset;
    for (struct tf_line *line = w->code->lines; line != NULL; line = line->next)
        jumps++;
    return *length + 11 * (jumps + 1) < 32000 || w->kind == PROBES_NONE;
}

static bool
analyze_method(struct unit *unit, struct tf_class *c, struct tf_member *member,
               enum probe_place kind, unsigned id)
{
    struct tf_code *code = tf_class_code(c, member);
    struct method *method = &unit->methods[unit->method_count];
    struct walk w = { .unit = unit, .c = c, .code = code, .kind = kind, .id = id,
                      .base = unit->flow.item_count, .open = -1,
                      .edge_base = unit->flow.edge_count };
    size_t room = code == NULL ? 0 : (size_t)code->last->offset + 2, length;
    bool done = true;

    if (code == NULL)
        return true;
    w.places = calloc(room, sizeof *w.places);
    w.insns = calloc(room, sizeof *w.insns);
    w.items = calloc(room, sizeof *w.items);
    w.leaders = calloc(room, sizeof *w.leaders);
    w.filtered.ignored = calloc(room, sizeof *w.filtered.ignored);
    w.filtered.leader = calloc(room, sizeof *w.filtered.leader);
    w.failed = w.places == NULL || w.insns == NULL || w.items == NULL
        || w.leaders == NULL || w.filtered.ignored == NULL || w.filtered.leader == NULL;
    if (!w.failed && collect(&w, &length)) {
        uint32_t *first = grow(unit->flow.first, w.base, w.count, sizeof *first);
        int32_t *leader = grow(unit->flow.leader, w.base, w.count, sizeof *leader);

        unit->flow.first = first != NULL ? first : unit->flow.first;
        unit->flow.leader = leader != NULL ? leader : unit->flow.leader;
        method->name = strdup(member->name);
        method->descriptor = strdup(member->descriptor);
        unit->method_count++;
        if (first == NULL || leader == NULL || method->name == NULL
            || method->descriptor == NULL || !walk_code(&w))
            w.failed = true;
        method->items = w.items;
        method->count = w.item_count;
        w.items = NULL;
    } else if (!w.failed)
        tf_info("%s.%s: left out, too long or of an old kind", unit->name,
                member->name);
    done = !w.failed;
    free(w.places);
    free(w.insns);
    free(w.items);
    free(w.leaders);
    free(w.filtered.ignored);
    free(w.filtered.leader);
    return done;
}

bool
unit_analyze(struct unit *unit, struct tf_class *c, enum probe_place place, unsigned id)
{
    size_t count = 0;

    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next)
        count++;
    unit->methods = calloc(count + 1, sizeof *unit->methods);
    if (unit->methods == NULL)
        return false;
    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next)
        if (!filter_skips_method(c, m) && !analyze_method(unit, c, m, place, id))
            return false;
    probe_add_fields(c, place, id, unit->probe_count);
    return unit_lay_out(unit);
}
