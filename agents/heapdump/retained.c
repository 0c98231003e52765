/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/retained.c -- the objects that keep the most memory alive: the sum of
 * what they dominate.
 *
 * What is referred to by soft, weak and phantom references only is retained by nobody.
 * The graph takes 16 bytes an object and 8 a reference, a half of it the label that says
 * by which field it refers; the dominators take 28 and 4 more.
 */
#include "agents/heapdump/heapdump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
grow(struct graph *g, uint32_t **array, uint64_t capacity)
{
    uint32_t *grown = realloc(*array, capacity * sizeof *grown);

    if (grown == NULL) {
        g->no_memory = true;
        return false;
    }
    *array = grown;
    return true;
}

static bool
make_nodes(struct graph *g, uint32_t node)
{
    uint64_t capacity = g->capacity + g->capacity / 2 + 4096;

    if (node >= g->capacity) {
        while (capacity <= node)
            capacity *= 2;
        if (capacity > UINT32_MAX) {
            g->broken = "there are too many objects";
            return false;
        }
        if (!grow(g, &g->class, capacity) || !grow(g, &g->size, capacity)
            || !grow(g, &g->start, capacity)
            || !grow(g, &g->root_kind, capacity))
            return false;
        g->capacity = (uint32_t)capacity;
    }
    for (; g->nodes <= node; g->nodes++) {
        g->class[g->nodes] = g->size[g->nodes] = g->start[g->nodes] = 0;
        g->root_kind[g->nodes] = 0;
    }
    return true;
}

static bool
add_number(struct graph *g, uint32_t value, uint32_t label)
{
    if (g->edge_count == g->edge_capacity) {
        uint64_t capacity = g->edge_capacity + g->edge_capacity / 2 + 4096;

        if (capacity > UINT32_MAX) {
            g->broken = "there are too many references";
            return false;
        }
        if (!grow(g, &g->edges, capacity) || !grow(g, &g->labels, capacity))
            return false;
        g->edge_capacity = capacity;
    }
    g->labels[g->edge_count] = label;
    g->edges[g->edge_count++] = value;
    return true;
}

static uint32_t
node_of(const struct graph *g, uint64_t number)
{
    return (uint32_t)(number < FIRST_OBJECT ? number
                      : number - FIRST_OBJECT + g->model->class_count);
}

static void
add_edge(struct graph *g, uint32_t from, uint32_t to, uint32_t label)
{
    if (from != g->from) {
        if (g->start[from] != 0)
            g->broken = "it tells of an object in pieces";
        g->start[from] = (uint32_t)g->edge_count;
        g->from = from;
        if (!add_number(g, 0, 0))
            return;
    }
    if (add_number(g, to, label))
        g->edges[g->start[from]]++;
}

/* Is it what a soft, weak or phantom reference refers to? */
static bool
is_weak(struct graph *g, jlong referrer_class_tag, jint index)
{
    struct class *class = model_class(g->model, referrer_class_tag), *owner;
    const struct field *field;

    if (class == NULL || !class->weak)
        return false;
    field = model_field(g->model, class, index, &owner);
    return field != NULL
        && strcmp(owner->signature, "Ljava/lang/ref/Reference;") == 0
        && strcmp(g->model->strings[field->name], "referent") == 0;
}

/* The kind of a reference, and the index of its field or element. */
static uint32_t
label_of(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info)
{
    uint32_t index = 0, most = (1u << LABEL_BITS) - 1;

    if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD)
        index = (uint32_t)info->field.index;
    else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        index = (uint32_t)info->array.index;
    return (uint32_t)kind << LABEL_BITS | (index < most ? index : most);
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    struct graph *g = data;
    struct class *class = model_class(g->model, class_tag);
    uint64_t number = class == NULL ? 0 : model_number(g->model, class, tag, size, length);
    uint32_t node = node_of(g, number);

    if (number == 0 || !make_nodes(g, node))
        return JVMTI_VISIT_ABORT;
    if (g->size[node] == 0) {
        g->class[node] |= (uint32_t)class_tag;
        g->size[node] = (uint32_t)((size + UNIT - 1) / UNIT);
    }
    if (referrer_tag == NULL) {
        if (g->root_kind[node] == 0)
            g->root_kind[node] = (uint32_t)kind;
        g->class[node] |= IS_ROOT;
    }
    else if (*referrer_tag == 0)
        g->model->stale = true;
    /* Nothing but the root dominates a root, so what leads to one does not matter. */
    else if ((g->class[node] & IS_ROOT) == 0
             && !(kind == JVMTI_HEAP_REFERENCE_FIELD
                  && is_weak(g, referrer_class_tag, info->field.index)))
        add_edge(g, node_of(g, NUMBER_OF(*referrer_tag)), node, label_of(kind, info));
    return g->no_memory || g->broken != NULL || g->model->stale ? JVMTI_VISIT_ABORT
        : JVMTI_VISIT_OBJECTS;
}

static bool
add_roots(struct graph *g)
{
    for (uint32_t node = 1; node < g->nodes; node++)
        if (g->class[node] & IS_ROOT)
            add_edge(g, 0, node, g->root_kind[node] << LABEL_BITS);
    return !g->no_memory && g->broken == NULL;
}

/* -- the report -- */

struct entry {
    uint64_t retained;
    uint32_t vertex, holder;
};

/* More retained first; of equals the one that holds the other. */
static int
compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->retained != y->retained ? (x->retained < y->retained ? 1 : -1)
        : x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

const struct class *
graph_class(const struct graph *g, uint32_t node)
{
    return &g->model->classes[g->class[node] & ~IS_ROOT];
}

/* "java.util.HashMap", "class p.C" for the class itself. */
char *
graph_text(const struct graph *g, uint32_t node)
{
    char *name, *text = NULL;

    if (node == 0)
        return strdup("(root)");
    if (node >= g->model->class_count)
        return class_java_name(graph_class(g, node));
    name = class_java_name(&g->model->classes[node]);
    if (name == NULL || asprintf(&text, "class %s", name) < 0)
        text = NULL;
    free(name);
    return text;
}

char *
graph_label(const struct graph *g, uint32_t from, uint32_t label)
{
    static const char *const kinds[] = {
        [JVMTI_HEAP_REFERENCE_CLASS] = "its class",
        [JVMTI_HEAP_REFERENCE_CLASS_LOADER] = "its class loader",
        [JVMTI_HEAP_REFERENCE_SIGNERS] = "its signers",
        [JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN] = "its protection domain",
        [JVMTI_HEAP_REFERENCE_INTERFACE] = "an interface",
        [JVMTI_HEAP_REFERENCE_CONSTANT_POOL] = "its constant pool",
        [JVMTI_HEAP_REFERENCE_SUPERCLASS] = "its superclass",
        [JVMTI_HEAP_REFERENCE_JNI_GLOBAL] = "a global reference of JNI",
        [JVMTI_HEAP_REFERENCE_SYSTEM_CLASS] = "a system class",
        [JVMTI_HEAP_REFERENCE_MONITOR] = "a monitor in use",
        [JVMTI_HEAP_REFERENCE_STACK_LOCAL] = "a local variable",
        [JVMTI_HEAP_REFERENCE_JNI_LOCAL] = "a local reference of JNI",
        [JVMTI_HEAP_REFERENCE_THREAD] = "a thread",
        [JVMTI_HEAP_REFERENCE_OTHER] = "something in the VM"
    };
    uint32_t kind = label >> LABEL_BITS, index = label & ((1u << LABEL_BITS) - 1);
    struct model *model = g->model;
    struct class *class, *owner;
    const struct field *field = NULL;
    struct tf_buffer text = { 0 };

    if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
        /* Of a static field the class itself is what refers. */
        class = from < model->class_count ? &model->classes[from]
            : (struct class *)graph_class(g, from);
        field = model_field(model, class, (jint)index, &owner);
    }
    if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        tf_buffer_format(&text, "[%" PRIu32 "]", index);
    else if (field != NULL)
        tf_buffer_text(&text, model->strings[field->name]);
    else
        tf_buffer_text(&text, kind < sizeof kinds / sizeof *kinds && kinds[kind] != NULL
                       ? kinds[kind] : "a reference");
    return tf_buffer_take(&text);
}

/* A heap with the least at its top, so that only the largest stay. */
static void
sift_down(struct entry *heap, size_t count, size_t at)
{
    for (;;) {
        size_t least = at;
        struct entry swap;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (compare(&heap[child], &heap[least]) > 0)
                least = child;
        if (least == at)
            return;
        swap = heap[at];
        heap[at] = heap[least];
        heap[least] = swap;
        at = least;
    }
}

static void
keep(struct entry *heap, size_t *count, size_t top, struct entry entry)
{
    if (*count < top) {
        heap[(*count)++] = entry;
        if (*count == top)
            for (size_t i = top; i-- > 0;)
                sift_down(heap, top, i);
    } else if (compare(&entry, &heap[0]) < 0) {
        heap[0] = entry;
        sift_down(heap, top, 0);
    }
}

/*
 * By vertex the label of a reference that its dominator has to it; 0 where several others
 * lead from the one to the other.  The caller's to free(); NULL when memory is short.
 */
static uint32_t *
find_labels(const struct graph *g, const uint32_t *order, const uint32_t *dominator,
            uint32_t reached)
{
    uint32_t *labels = calloc(reached, sizeof *labels);
    uint32_t *vertex_of = calloc(g->nodes, sizeof *vertex_of);

    for (uint32_t v = 0; v < reached && vertex_of != NULL; v++)
        vertex_of[order[v]] = v;
    for (uint32_t v = 0; v < reached && vertex_of != NULL && labels != NULL; v++) {
        uint32_t start = g->start[order[v]], count = start == 0 ? 0 : g->edges[start];

        for (uint32_t e = start + 1; e <= start + count; e++) {
            uint32_t to = vertex_of[g->edges[e]];

            if (to != 0 && dominator[to] == v && labels[to] == 0)
                labels[to] = g->labels[e];
        }
    }
    if (vertex_of == NULL) {
        free(labels);
        labels = NULL;
    }
    free(vertex_of);
    return labels;
}

/* "p.Registry, sessions": the holder, and how it refers to what it holds. */
static void
put_holder(const struct graph *g, struct tf_buffer *text, uint32_t holder, uint32_t label)
{
    char *name = graph_text(g, holder);
    char *how = label == 0 ? strdup(holder == 0 ? "several roots" : "by several ways")
        : graph_label(g, holder, label);

    tf_buffer_clear(text);
    tf_buffer_format(text, "%s, ", name != NULL ? name : "?");
    if (how != NULL)
        tf_buffer_printable(text, how, strlen(how));
    free(name);
    free(how);
}

static void
write_rows(const struct graph *g, struct output *out, const uint32_t *order,
           const uint32_t *labels, const struct entry *rows, size_t count)
{
    struct tf_buffer holder = { 0 };

    output_format(out, " num       retained        shallow  object  <- holder, by which field\n"
                  "---------------------------------------------------------------------\n");
    for (size_t i = 0; i < count; i++) {
        uint32_t node = order[rows[i].vertex];
        char *name = graph_text(g, node);

        put_holder(g, &holder, order[rows[i].holder], labels[rows[i].vertex]);
        output_format(out, "%4zu: %13llu %14llu  %s <- %s\n", i + 1,
                      (unsigned long long)rows[i].retained * UNIT,
                      (unsigned long long)g->size[node] * UNIT,
                      name != NULL ? name : "?", tf_buffer_string(&holder));
        free(name);
    }
    tf_buffer_release(&holder);
}

/* Is a vertex wanted in the report? */
static bool
is_wanted(const struct graph *g, uint32_t node)
{
    return node >= g->model->class_count ? graph_class(g, node)->wanted
        : g->model->classes[node].wanted;
}

static bool
report(const struct graph *g, struct output *out, const uint32_t *order,
       const uint32_t *dominator, uint32_t reached)
{
    size_t top = g->model->config->top != 0 ? (size_t)g->model->config->top : reached;
    uint64_t *retained = malloc(reached * sizeof *retained);
    uint32_t *labels = find_labels(g, order, dominator, reached);
    struct entry *rows;
    size_t count = 0;

    if (top > reached)
        top = reached;
    rows = malloc((top + 1) * sizeof *rows);
    if (retained == NULL || rows == NULL || labels == NULL) {
        free(retained);
        free(labels);
        free(rows);
        return false;
    }
    for (uint32_t v = 0; v < reached; v++)
        retained[v] = g->size[order[v]];
    for (uint32_t v = reached; v-- > 1;)
        retained[dominator[v]] += retained[v];
    for (uint32_t v = 1; v < reached; v++)
        if (is_wanted(g, order[v]))
            keep(rows, &count, top, (struct entry){ retained[v], v, dominator[v] });
    qsort(rows, count, sizeof *rows, compare);
    write_rows(g, out, order, labels, rows, count);
    output_format(out, "Total %13llu bytes in %llu objects, %llu more only by soft, "
                  "weak or phantom references\n", (unsigned long long)retained[0] * UNIT,
                  (unsigned long long)reached - 1,
                  (unsigned long long)(g->nodes - reached));
    free(retained);
    free(labels);
    free(rows);
    return true;
}

static bool
walk(struct graph *g)
{
    jvmtiHeapCallbacks callbacks = { .heap_reference_callback = on_reference };

    /* The first element is for nobody, since start 0 means none. */
    if (!make_nodes(g, g->model->class_count - 1) || !add_number(g, 0, 0))
        return false;
    g->from = UINT32_MAX;
    return TF_CALL(g->model->jvmti, FollowReferences,
                   (g->model->jvmti, 0, NULL, NULL, &callbacks, g))
        && !g->model->stale && !g->no_memory && g->broken == NULL && add_roots(g);
}

bool
graph_write(struct model *model, struct output *out, graph_writer *write)
{
    struct graph g = { .model = model };
    uint32_t *order = NULL, *dominator = NULL, reached;
    bool done = walk(&g);

    if (done) {
        progress_tell(&model->progress, "looking for what retains what", 0, 0);
        done = dominators(g.nodes, g.start, g.edges, &order, &dominator, &reached)
            && write(&g, out, order, dominator, reached);
        g.no_memory = !done;
    }
    if (g.no_memory || model->no_memory)
        tf_error("out of memory");
    else if (g.broken != NULL)
        tf_error("no retained sizes on this VM: %s", g.broken);
    free(order);
    free(dominator);
    free(g.class);
    free(g.size);
    free(g.start);
    free(g.edges);
    free(g.labels);
    free(g.root_kind);
    return done;
}

bool
retained_write(struct model *model, struct output *out)
{
    return graph_write(model, out, report);
}
