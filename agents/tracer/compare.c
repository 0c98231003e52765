/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/compare.c -- the difference of two profiles, as a page.
 *
 * Both are files of collapsed stacks, "thread;outer;inner VALUE", of this agent or of
 * another tool.  Their calls are put into one tree by their names: a node's `calls` is
 * its value before, its `total` the one after; at first its own, then with its callees'.
 */
#include "agents/tracer/tracer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names of threads and methods, by number; a table of hashes finds them again. */
struct texts {
    char **list;
    uint32_t count, capacity;
    uint32_t *slots;            /* number + 1; twice as many as capacity */
};

static uint32_t
hash_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static uint32_t *
slot_of(const struct texts *t, const char *text, size_t length)
{
    uint32_t mask = 2 * t->capacity - 1, i = hash_of(text, length) & mask;

    while (t->slots[i] != 0
           && (strncmp(t->list[t->slots[i] - 1], text, length) != 0
               || t->list[t->slots[i] - 1][length] != '\0'))
        i = (i + 1) & mask;
    return &t->slots[i];
}

static bool
grow(struct texts *t)
{
    uint32_t wanted = t->capacity == 0 ? 256 : t->capacity * 2;
    char **list = realloc(t->list, wanted * sizeof *list);

    if (list == NULL)
        return false;
    t->list = list;
    free(t->slots);
    t->slots = calloc(2 * (size_t)wanted, sizeof *t->slots);
    if (t->slots == NULL)
        return false;
    t->capacity = wanted;
    for (uint32_t i = 0; i < t->count; i++)
        *slot_of(t, t->list[i], strlen(t->list[i])) = i + 1;
    return true;
}

/* The number of a name; UINT32_MAX when memory is short. */
static uint32_t
text_number(struct texts *t, const char *text, size_t length)
{
    uint32_t *slot;

    if (t->count == t->capacity && !grow(t))
        return UINT32_MAX;
    slot = slot_of(t, text, length);
    if (*slot == 0) {
        t->list[t->count] = strndup(text, length);
        if (t->list[t->count] == NULL)
            return UINT32_MAX;
        *slot = ++t->count;
    }
    return *slot - 1;
}

static void
release(struct texts *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        free(t->list[i]);
    free(t->list);
    free(t->slots);
}

/* Take the numbers of hidden classes out, "C$$Lambda/0x7f1c", which differ in each
   run. */
static void
forget_addresses(char *line)
{
    char *to = line;

    for (const char *from = line; *from != '\0'; ) {
        if (strncmp(from, "/0x", 3) == 0) {
            from += 3;
            from += strspn(from, "0123456789abcdef");
        } else
            *to++ = *from++;
    }
    *to = '\0';
}

/* Add a line's value to the node of its stack, below root, whose children are threads.
   False with errno 0 for a line that is none, and with ENOMEM. */
static bool
add_line(struct texts *texts, uint32_t root, char *line, bool after)
{
    char *space = strrchr(line, ' '), *end;
    uint32_t node = root;
    uint64_t value;

    errno = 0;
    if (space == NULL)
        return false;
    value = strtoull(space + 1, &end, 10);
    if (end == space + 1 || *end != '\0' || errno != 0) {
        errno = 0;
        return false;
    }
    /* "[12 calls lost] 0" is no stack. */
    if (line[0] == '[' && memchr(line, ';', (size_t)(space - line)) == NULL)
        return true;
    *space = '\0';
    forget_addresses(line);
    for (char *at = line; ; at++) {
        size_t length = strcspn(at, ";");
        uint32_t name = text_number(texts, at, length);

        node = name == UINT32_MAX ? 0 : calltree_node(node, name);
        if (node == 0) {
            errno = ENOMEM;
            return false;
        }
        at += length;
        if (*at == '\0')
            break;
    }
    *(after ? &calltree_at(node)->total : &calltree_at(node)->calls) += value;
    return true;
}

static bool
read_stacks(struct texts *texts, uint32_t root, const char *path, bool after,
            struct progress *progress)
{
    FILE *in = fopen(path, "re");
    struct stat status;
    uint64_t done = 0, whole = in != NULL && fstat(fileno(in), &status) == 0
        ? (uint64_t)status.st_size : 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    unsigned long number = 0;
    bool good = in != NULL;

    if (!good)
        tf_error("compare: cannot read \"%s\": %s", path, strerror(errno));
    while (good && (length = getline(&line, &size, in)) >= 0) {
        number++;
        done += (uint64_t)length;
        if (number % 1024 == 0 || done == whole)
            progress_tell(progress, after ? "reading the second file"
                          : "reading the first file", done, whole);
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        good = line[0] == '\0' || add_line(texts, root, line, after);
        if (!good && errno == ENOMEM)
            tf_error("out of memory");
        else if (!good)
            tf_error("compare: line %lu of \"%s\" is no collapsed stack", number, path);
    }
    free(line);
    if (in != NULL)
        fclose(in);
    return good;
}

static void
write_thread(FILE *stream, const struct texts *texts, const struct cut *cut,
             uint32_t thread)
{
    uint32_t at = thread, depth = 0, count = 0;

    fputs("\n{\"name\":", stream);
    html_string(stream, texts->list[calltree_at(thread)->method]);
    fputs(",\n\"nodes\":[", stream);
    while ((at = cut_next(cut, at, thread, &depth)) != 0) {
        struct node node = cut_own(cut, calltree_at(at));

        fprintf(stream, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64,
                count == 0 ? "" : count % 8 == 0 ? ",\n" : ",", depth, node.method,
                node.calls, node.total);
        count++;
    }
    fputs("]}", stream);
}

static void
write_page(FILE *stream, const struct texts *texts, uint32_t root, char **files)
{
    struct tf_buffer about = { 0 };
    struct cut cut = { .root = root, .compares = true };
    bool first = true;

    calltree_add_up();
    cut_choose(&cut);
    /* The files do not say what they count. */
    tf_buffer_format(&about, "before: %s, after: %s; red took more, blue took less%s%s",
                     files[0], files[1], config.sample > 0 || config.value >= 0 ? ""
                     : "; the numbers are those of the files: nanoseconds of a trace, or "
                     "samples", cut.least > 1
                     ? "; what took too little to be seen is a part of its caller" : "");
    html_begin(stream, "Comparison", tf_buffer_string(&about));
    tf_buffer_release(&about);
    fprintf(stream, ",\n\"unit\":\"%s\",\"rate\":\"calls\",\"columns\":4,\"compare\":[",
            config.sample > 0 ? "samples" : config.value == VALUE_CALLS ? "calls"
            : config.value == VALUE_TIME ? "ns" : "");
    html_string(stream, files[0]);
    putc(',', stream);
    html_string(stream, files[1]);
    fputs("],\n\"methods\":[\n", stream);
    for (uint32_t i = 0; i < texts->count; i++) {
        fputs(i == 0 ? "" : ",\n", stream);
        html_string(stream, texts->list[i]);
    }
    fputs("],\n\"threads\":[", stream);
    for (uint32_t t = calltree_at(root)->child; t != 0; t = calltree_at(t)->sibling) {
        fputs(first ? "" : ",", stream);
        write_thread(stream, texts, &cut, t);
        first = false;
    }
    putc(']', stream);
    html_end(stream);
}

bool
compare_write(void)
{
    struct texts texts = { 0 };
    struct progress progress;
    struct tf_output *output;
    uint32_t root = calltree_node(0, TREE_ROOT);
    bool good;

    progress_begin(&progress, "tracer", config.progress);
    good = root != 0 && read_stacks(&texts, root, config.compare[0], false, &progress)
        && read_stacks(&texts, root, config.compare[1], true, &progress);
    progress_end(&progress);
    output = good ? tf_output_open(config.file) : NULL;
    if (output != NULL) {
        write_page(tf_output_stream(output), &texts, root, config.compare);
        good = tf_output_commit(output);
        if (good)
            progress_wrote("tracer", config.progress, config.file);
    }
    release(&texts);
    calltree_free();
    return good && output != NULL;
}
