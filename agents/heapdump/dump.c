/* SPDX-License-Identifier: MIT */
/* agents/heapdump/dump.c -- reading of an HPROF file as a graph. */
#include "agents/heapdump/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { TYPE_REFERENCE = 2, HEADER = 16 };
enum { PART_CLASS = 0x20, PART_INSTANCE, PART_ARRAY, PART_PRIMITIVES };

struct name {
    uint64_t id;
    uint32_t text;
};

/* A place in the file, and where the record ends. */
struct cursor {
    struct dump *dump;
    uint64_t at, end;
};

static bool
fail(struct dump *d, const char *why)
{
    if (!d->failed)
        tf_error("compare: \"%s\": %s", d->path, why);
    d->failed = true;
    return false;
}

/* Room for one more of `size` bytes in an array that grows by half. */
static bool
make_room(struct dump *d, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    void **at = array, *grown;
    uint64_t wanted = (uint64_t)*capacity + *capacity / 2 + 1024;

    if (count < *capacity)
        return true;
    grown = wanted > UINT32_MAX ? NULL : realloc(*at, wanted * size);
    if (grown == NULL)
        return fail(d, "out of memory");
    *at = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

static bool
skip(struct cursor *c, uint64_t count)
{
    if (c->dump->failed || count > c->end - c->at) {
        c->at = c->end;
        return fail(c->dump, "it ends early, or a record is too short");
    }
    c->at += count;
    return true;
}

static uint64_t
number(struct cursor *c, unsigned size)
{
    uint64_t value = 0;

    if (!skip(c, size))
        return 0;
    for (uint64_t i = c->at - size; i < c->at; i++)
        value = value << 8 | c->dump->bytes[i];
    return value;
}

static uint64_t
id(struct cursor *c)
{
    return number(c, c->dump->id_size);
}

static unsigned
type_size(const struct dump *d, uint64_t type)
{
    static const unsigned char sizes[] = { [4] = 1, [5] = 2, [6] = 4, [7] = 8,
                                           [8] = 1, [9] = 2, [10] = 4, [11] = 8 };

    return type == TYPE_REFERENCE ? d->id_size : type < sizeof sizes ? sizes[type] : 0;
}

/* -- texts -- */

uint32_t
texts_number(struct texts *t, const char *text, size_t length)
{
    uint32_t hash = 2166136261u, i;

    if (2 * (t->count + 1) >= t->slot_count) {
        uint32_t size = t->slot_count == 0 ? 4096 : 2 * t->slot_count;
        uint32_t *slots = calloc(size, sizeof *slots);
        char **list = realloc(t->list, size * sizeof *list);

        if (list != NULL)
            t->list = list;
        if (slots == NULL || list == NULL) {
            free(slots);
            return 0;
        }
        free(t->slots);
        t->slots = slots;
        t->slot_count = size;
        for (uint32_t n = 1, old = t->count; n <= old; n++) {
            hash = 2166136261u;
            for (const char *c = list[n]; *c != '\0'; c++)
                hash = (hash ^ (unsigned char)*c) * 16777619u;
            for (i = hash & (size - 1); slots[i] != 0; )
                i = (i + 1) & (size - 1);
            slots[i] = n;
        }
        hash = 2166136261u;
    }
    for (size_t at = 0; at < length; at++)
        hash = (hash ^ (unsigned char)text[at]) * 16777619u;
    for (i = hash & (t->slot_count - 1); t->slots[i] != 0; i = (i + 1) & (t->slot_count - 1))
        if (strncmp(t->list[t->slots[i]], text, length) == 0
            && t->list[t->slots[i]][length] == '\0')
            return t->slots[i];
    t->list[t->count + 1] = strndup(text, length);
    if (t->list[t->count + 1] == NULL)
        return 0;
    return t->slots[i] = ++t->count;
}

void
texts_release(struct texts *t)
{
    for (uint32_t i = 1; i <= t->count; i++)
        free(t->list[i]);
    free(t->list);
    free(t->slots);
}

static int
by_id(const void *a, const void *b)
{
    uint64_t x = ((const struct name *)a)->id, y = ((const struct name *)b)->id;

    return x < y ? -1 : x > y;
}

static uint32_t
name_of(struct dump *d, uint64_t name_id)
{
    struct name wanted = { .id = name_id };
    const struct name *name = d->name_count == 0 ? NULL
        : bsearch(&wanted, d->names, d->name_count, sizeof wanted, by_id);

    return name == NULL ? texts_number(d->texts, "?", 1) : name->text;
}

/* The name of a class without the number that a hidden one has in this process only. */
static size_t
stable_length(const char *name, size_t length)
{
    const char *lambda = memmem(name, length, "$$Lambda", 8);

    if (lambda != NULL)
        return (size_t)(lambda - name) + 8;
    for (size_t i = 0; i + 3 < length; i++)
        if ((name[i] == '+' || name[i] == '/') && name[i + 1] == '0' && name[i + 2] == 'x')
            return i;
    return length;
}

static void
read_name(struct dump *d, struct cursor *c)
{
    uint64_t name_id = id(c);
    const char *text = (const char *)d->bytes + c->at;
    size_t length = c->end - c->at;

    if (d->failed || !make_room(d, &d->names, d->name_count, &d->name_capacity,
                                sizeof *d->names))
        return;
    d->names[d->name_count++] = (struct name){
        name_id, texts_number(d->texts, text, stable_length(text, length))
    };
}

/* -- classes and objects -- */

static uint32_t *
slot_of(const struct dump *d, uint64_t object_id)
{
    uint32_t i = (uint32_t)(object_id * 0x9e3779b97f4a7c15u >> 32) & (d->slot_count - 1);

    while (d->slots[i] != 0 && d->object_ids[d->slots[i]] != object_id)
        i = (i + 1) & (d->slot_count - 1);
    return &d->slots[i];
}

uint32_t
dump_object(const struct dump *d, uint64_t object_id)
{
    return d->slot_count == 0 || object_id == 0 ? 0 : *slot_of(d, object_id);
}

static bool
grow_objects(struct dump *d)
{
    uint32_t capacity = d->object_capacity;

    if (!make_room(d, &d->objects, d->object_count + 1, &d->object_capacity,
                   sizeof *d->objects)
        || !make_room(d, &d->object_ids, d->object_count + 1, &capacity,
                      sizeof *d->object_ids))
        return false;
    if (2 * (uint64_t)d->object_capacity > d->slot_count) {
        uint64_t size = d->slot_count == 0 ? 4096 : 2 * (uint64_t)d->slot_count;

        free(d->slots);
        d->slots = size > UINT32_MAX ? NULL : calloc(size, sizeof *d->slots);
        d->slot_count = d->slots == NULL ? 0 : (uint32_t)size;
        if (d->slots == NULL)
            return fail(d, "out of memory");
        for (uint32_t i = 1; i <= d->object_count; i++)
            *slot_of(d, d->object_ids[i]) = i;
    }
    return true;
}

/* The object with this id, which is new or was a root only; 0 when memory is short. */
static uint32_t
add_object(struct dump *d, uint64_t object_id)
{
    uint32_t *slot;

    if (!grow_objects(d))
        return 0;
    slot = slot_of(d, object_id);
    if (*slot == 0) {
        *slot = ++d->object_count;
        d->objects[*slot] = (struct dump_object){ 0 };
        d->object_ids[*slot] = object_id;
    }
    return *slot;
}

/* By the id of the class; classes are objects, and so in the same table. */
static uint32_t
class_by_id(const struct dump *d, uint64_t class_id)
{
    uint32_t object = dump_object(d, class_id);

    return object == 0 ? 0 : dump_class_of(d, object);
}

static void
read_class(struct dump *d, struct cursor *c)
{
    uint64_t class_id, name_id;
    uint32_t object;

    skip(c, 4);
    class_id = id(c);
    skip(c, 4);
    name_id = id(c);
    if (d->failed || !make_room(d, &d->classes, d->class_count + 1, &d->class_capacity,
                                sizeof *d->classes))
        return;
    object = add_object(d, class_id);
    if (object == 0)
        return;
    d->classes[++d->class_count] = (struct dump_class){
        .id = class_id, .object = object, .name = (uint32_t)name_id
    };
    d->classes[d->class_count].name = name_of(d, name_id);
    d->objects[object].class = d->class_count;
}

static void
read_root(struct dump *d, struct cursor *c, unsigned part)
{
    static const uint8_t kinds[] = { [1] = ROOT_GLOBAL, [2] = ROOT_FRAME, [3] = ROOT_FRAME,
                                     [4] = ROOT_FRAME, [5] = ROOT_SYSTEM_CLASS,
                                     [6] = ROOT_OTHER, [7] = ROOT_OTHER,
                                     [8] = ROOT_THREAD };
    uint8_t kind = part < sizeof kinds ? kinds[part] : ROOT_OTHER;
    uint32_t object = add_object(d, id(c));

    if (part == 1)
        skip(c, d->id_size);
    else if (part == 2 || part == 3 || part == 8)
        skip(c, 8);
    else if (part == 4 || part == 6)
        skip(c, 4);
    if (object != 0 && (d->objects[object].root == ROOT_NONE
                        || kind < d->objects[object].root))
        d->objects[object].root = kind;
}

static void
read_class_part(struct dump *d, struct cursor *c)
{
    uint64_t class_id = id(c), count, super, loader;
    uint32_t class = class_by_id(d, class_id);
    struct dump_class *k;

    skip(c, 4);
    super = id(c);
    loader = id(c);
    skip(c, 4 * (uint64_t)d->id_size + 4);
    for (count = number(c, 2); count > 0 && !d->failed; count--) {
        skip(c, 2);
        skip(c, type_size(d, number(c, 1)));
    }
    for (count = number(c, 2); count > 0 && !d->failed; count--) {
        skip(c, d->id_size);
        skip(c, type_size(d, number(c, 1)));
    }
    count = number(c, 2);
    if (class == 0 || d->failed) {
        skip(c, count * (d->id_size + 1));
        return;
    }
    k = &d->classes[class];
    k->super = super;
    k->loader = loader;
    free(k->fields);
    k->fields = calloc(count + 1, sizeof *k->fields);
    if (k->fields == NULL) {
        fail(d, "out of memory");
        return;
    }
    k->field_count = (uint32_t)count;
    for (uint64_t i = 0; i < count && !d->failed; i++) {
        k->fields[i].name = name_of(d, id(c));
        k->fields[i].type = (uint8_t)number(c, 1);
    }
}

/* The class of arrays of a type; 0 when the dump does not name it. */
static uint32_t
array_class(const struct dump *d, uint64_t type)
{
    static const char letters[] = "    ZCFDBSIJ";
    const char name[] = { '[', type < sizeof letters - 1 ? letters[type] : ' ', '\0' };

    for (uint32_t i = 1; i <= d->class_count; i++)
        if (strcmp(d->texts->list[d->classes[i].name], name) == 0)
            return i;
    return 0;
}

/* The part of an object, whose record is kept by its place. */
static void
read_object(struct dump *d, struct cursor *c, unsigned part)
{
    uint64_t at = c->at - 1, object_id = id(c), count;
    uint32_t object, class = 0;

    if (part == PART_CLASS) {
        class = class_by_id(d, object_id);
        c->at = at + 1;
        read_class_part(d, c);
        if (class != 0)
            d->objects[d->classes[class].object].at = at;
        return;
    }
    object = add_object(d, object_id);
    skip(c, 4);
    if (part == PART_INSTANCE) {
        class = class_by_id(d, id(c));
        skip(c, number(c, 4));
    } else {
        count = number(c, 4);
        if (part == PART_ARRAY) {
            class = class_by_id(d, id(c));
            skip(c, count * d->id_size);
        } else {
            uint64_t type = number(c, 1);

            if (d->array_classes[type & 15] == 0)
                d->array_classes[type & 15] = array_class(d, type);
            class = d->array_classes[type & 15];
            skip(c, count * type_size(d, type));
        }
    }
    if (object != 0 && !d->failed) {
        d->objects[object].at = at;
        d->objects[object].class = class;
    }
}

static void
read_parts(struct dump *d, struct cursor *c)
{
    while (c->at < c->end && !d->failed) {
        unsigned part = (unsigned)number(c, 1);

        if (part >= PART_CLASS && part <= PART_PRIMITIVES)
            read_object(d, c, part);
        else if ((part >= 1 && part <= 8) || part == 0xff)
            read_root(d, c, part);
        else
            fail(d, "a part of an unknown kind");
    }
}

/* -- the file -- */

int
temporary_file(void)
{
    const char *folder = getenv("TMPDIR");
    char *name = NULL;
    int file;

    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || asprintf(&name, "%s/heapdump-XXXXXX", folder) < 0)
        return file;
    file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    free(name);
    return file;
}

static bool
copy_to(struct dump *d, gzFile in, int to)
{
    static unsigned char chunk[1 << 16];
    int got;

    while ((got = gzread(in, chunk, sizeof chunk)) > 0)
        for (int done = 0; done < got; ) {
            ssize_t wrote = write(to, chunk + done, (size_t)(got - done));

            if (wrote < 0 && errno != EINTR)
                return fail(d, strerror(errno));
            done += wrote < 0 ? 0 : (int)wrote;
        }
    return got == 0 || fail(d, "it ends early");
}

/* Map the file, or what it holds compressed. */
static bool
map_file(struct dump *d)
{
    gzFile in = gzopen(d->path, "rbe");
    struct stat status = { 0 };
    int file;
    bool good;

    if (in == NULL)
        return fail(d, strerror(errno));
    file = gzdirect(in) ? open(d->path, O_RDONLY | O_CLOEXEC) : temporary_file();
    good = file >= 0 || fail(d, strerror(errno));
    good = good && (gzdirect(in) || copy_to(d, in, file));
    gzclose(in);
    if (good && fstat(file, &status) == 0 && status.st_size > 31) {
        d->length = (uint64_t)status.st_size;
        d->bytes = mmap(NULL, d->length, PROT_READ, MAP_PRIVATE, file, 0);
        if (d->bytes == MAP_FAILED) {
            d->bytes = NULL;
            fail(d, strerror(errno));
        }
    }
    if (file >= 0)
        close(file);
    if (!d->failed && (d->bytes == NULL || memcmp(d->bytes, "JAVA PROFILE 1.0.", 17) != 0))
        fail(d, "it is no HPROF file");
    return !d->failed;
}

/* Call `read` for each record of one of the tags. */
static void
each_record(struct dump *d, unsigned tag, unsigned other,
            void (*read)(struct dump *, struct cursor *))
{
    struct cursor c = { d, 31, d->length };

    while (c.at < d->length && !d->failed) {
        unsigned found = (unsigned)number(&c, 1);
        uint64_t length;

        skip(&c, 4);
        length = number(&c, 4);
        if (!skip(&c, length))
            return;
        if (found == tag || found == other) {
            struct cursor inside = { d, c.at - length, c.at };

            read(d, &inside);
        }
    }
}

/* What depends on superclasses. */
static void
look_at_supers(struct dump *d)
{
    for (uint32_t i = 1; i <= d->class_count; i++) {
        struct dump_class *k = &d->classes[i];
        bool reference = false, final = false;

        for (uint32_t s = class_by_id(d, k->super), steps = 0; s != 0 && steps < 1000;
             s = class_by_id(d, d->classes[s].super), steps++) {
            const char *name = d->texts->list[d->classes[s].name];

            reference |= strcmp(name, "java/lang/ref/Reference") == 0;
            final |= strcmp(name, "java/lang/ref/FinalReference") == 0;
            k->loads |= strcmp(name, "java/lang/ClassLoader") == 0;
        }
        k->weak = reference && !final;
    }
}

/* -- what refers to what -- */

uint32_t
dump_class_of(const struct dump *d, uint32_t object)
{
    uint32_t class = d->objects[object].class;

    return class != 0 && d->classes[class].object == object ? class : 0;
}

uint64_t
dump_size(struct dump *d, uint32_t object)
{
    struct cursor c = { d, d->objects[object].at + 1, d->length };
    unsigned part = d->objects[object].at == 0 ? 0 : d->bytes[d->objects[object].at];
    uint64_t bytes = 0;

    skip(&c, d->id_size + 4);
    if (part == PART_INSTANCE) {
        skip(&c, d->id_size);
        bytes = number(&c, 4);
    } else if (part == PART_ARRAY)
        bytes = 4 * number(&c, 4);
    else if (part == PART_PRIMITIVES) {
        bytes = number(&c, 4);
        bytes *= type_size(d, number(&c, 1));
    }
    return part == 0 ? 0 : (HEADER + bytes + UNIT - 1) / UNIT * UNIT;
}

static void
refer(struct dump *d, const char *label, uint64_t to, dump_visitor *visit, void *argument)
{
    uint32_t object = dump_object(d, to);

    if (object != 0)
        visit(argument, texts_number(d->texts, label, strlen(label)), object);
}

static void
class_fields(struct dump *d, struct cursor *c, dump_visitor *visit, void *argument)
{
    uint64_t count;

    skip(c, 7 * (uint64_t)d->id_size + 8);
    for (count = number(c, 2); count > 0 && !d->failed; count--) {
        skip(c, 2);
        skip(c, type_size(d, number(c, 1)));
    }
    for (count = number(c, 2); count > 0 && !d->failed; count--) {
        uint32_t name = name_of(d, id(c)), object;
        uint64_t type = number(c, 1);

        if (type != TYPE_REFERENCE)
            skip(c, type_size(d, type));
        else if ((object = dump_object(d, id(c))) != 0)
            visit(argument, name, object);
    }
}

/* Its own fields come first, then those of its superclass. */
static void
instance_fields(struct dump *d, struct cursor *c, dump_visitor *visit, void *argument)
{
    uint64_t end;
    uint32_t k;
    bool weak;

    skip(c, d->id_size + 4);
    k = class_by_id(d, id(c));
    end = number(c, 4);
    end += c->at;
    weak = k != 0 && d->classes[k].weak;
    for (; k != 0 && c->at < end && !d->failed; k = class_by_id(d, d->classes[k].super)) {
        const struct dump_class *class = &d->classes[k];
        bool reference = weak
            && strcmp(d->texts->list[class->name], "java/lang/ref/Reference") == 0;

        for (uint32_t i = 0; i < class->field_count && c->at < end && !d->failed; i++) {
            const struct dump_field *field = &class->fields[i];
            uint32_t object;

            if (field->type != TYPE_REFERENCE)
                skip(c, type_size(d, field->type));
            else if ((object = dump_object(d, id(c))) != 0
                     && !(reference
                          && strcmp(d->texts->list[field->name], "referent") == 0))
                visit(argument, field->name, object);
        }
    }
}

void
dump_fields(struct dump *d, uint32_t object, dump_visitor *visit, void *argument)
{
    uint64_t at = d->objects[object].at, count;
    struct cursor c = { d, at + 1, d->length };
    uint32_t label, to;

    if (at == 0)
        return;
    if (d->bytes[at] == PART_CLASS)
        class_fields(d, &c, visit, argument);
    else if (d->bytes[at] == PART_INSTANCE)
        instance_fields(d, &c, visit, argument);
    else if (d->bytes[at] == PART_ARRAY) {
        skip(&c, d->id_size + 4);
        count = number(&c, 4);
        skip(&c, d->id_size);
        label = texts_number(d->texts, "[]", 2);
        for (; count > 0 && !d->failed; count--)
            if ((to = dump_object(d, id(&c))) != 0)
                visit(argument, label, to);
    }
}

void
dump_hidden(struct dump *d, uint32_t object, dump_visitor *visit, void *argument)
{
    uint64_t at = d->objects[object].at, count;
    uint32_t class = d->objects[object].class;
    struct cursor c = { d, at + 1, d->length };

    if (at == 0)
        return;
    if (d->bytes[at] != PART_CLASS) {
        if (class != 0)
            refer(d, "(its class)", d->classes[class].id, visit, argument);
        return;
    }
    skip(&c, d->id_size + 4);
    refer(d, "(its superclass)", id(&c), visit, argument);
    refer(d, "(its class loader)", id(&c), visit, argument);
    refer(d, "(its signers)", id(&c), visit, argument);
    refer(d, "(its protection domain)", id(&c), visit, argument);
    skip(&c, 2 * (uint64_t)d->id_size + 4);
    for (count = number(&c, 2); count > 0 && !d->failed; count--) {
        uint64_t type;

        skip(&c, 2);
        type = number(&c, 1);
        if (type == TYPE_REFERENCE)
            refer(d, "(its constant pool)", id(&c), visit, argument);
        else
            skip(&c, type_size(d, type));
    }
}

bool
dump_read(struct dump *d, const char *path, struct texts *texts)
{
    struct cursor head = { d, 19, 31 };

    memset(d, 0, sizeof *d);
    d->path = path;
    d->texts = texts;
    if (map_file(d)) {
        d->id_size = (unsigned)number(&head, 4);
        if (d->id_size != 4 && d->id_size != 8)
            fail(d, "its ids have an unknown size");
    }
    each_record(d, 0x01, 0x01, read_name);
    if (d->name_count > 0)
        qsort(d->names, d->name_count, sizeof *d->names, by_id);
    /* Classes come before the objects that are theirs, whose parts need them. */
    each_record(d, 0x02, 0x02, read_class);
    each_record(d, 0x0c, 0x1c, read_parts);
    if (!d->failed)
        look_at_supers(d);
    else
        dump_release(d);
    return !d->failed;
}

void
dump_release(struct dump *d)
{
    if (d->bytes != NULL)
        munmap(d->bytes, d->length);
    for (uint32_t i = 1; i <= d->class_count; i++)
        free(d->classes[i].fields);
    free(d->classes);
    free(d->objects);
    free(d->object_ids);
    free(d->slots);
    free(d->names);
    d->bytes = NULL;
    d->classes = NULL;
    d->objects = NULL;
    d->object_ids = NULL;
    d->slots = NULL;
    d->names = NULL;
    d->class_count = d->object_count = 0;
}
