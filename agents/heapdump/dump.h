/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/dump.h -- an HPROF file as a graph: objects, and what they refer to.
 *
 * The file is mapped, and an object's references are read where they stand each time, so
 * that only a place and a class are kept for each.  It may be a dump of this agent, of
 * HotSpot or of minivm.
 */
#ifndef DUMP_H
#define DUMP_H

#include "agents/heapdump/heapdump.h"

/* Texts, each once; shared by the dumps that are compared. */
struct texts {
    char **list;                /* from 1 */
    uint32_t count, capacity;
    uint32_t *slots, slot_count;
};

/* The number of a text of this length; 0 when memory is short. */
uint32_t texts_number(struct texts *texts, const char *text, size_t length);
void texts_release(struct texts *texts);

enum root { ROOT_NONE, ROOT_THREAD, ROOT_GLOBAL, ROOT_SYSTEM_CLASS, ROOT_FRAME,
            ROOT_OTHER };

struct dump_field {
    uint32_t name;              /* a text */
    uint8_t type;               /* as HPROF numbers them; 2 is a reference */
};

struct dump_class {
    uint32_t name;              /* a text: "java/lang/String", "[I", "p/C$$Lambda" */
    uint32_t object;            /* the class itself; 0 when it has no record */
    uint64_t id, super, loader;
    struct dump_field *fields;  /* of instances, own */
    uint32_t field_count;
    bool weak;                  /* a soft, weak or phantom reference */
    bool loads;                 /* a class loader */
};

struct dump_object {
    uint64_t at;                /* where its record stands in the file */
    uint32_t class;             /* 0: it is of a class that is not told */
    uint8_t root;
};

struct dump {
    const char *path;
    unsigned char *bytes;
    uint64_t length;
    unsigned id_size;
    struct texts *texts;
    struct dump_class *classes; /* from 1 */
    uint32_t class_count, class_capacity;
    struct dump_object *objects;        /* from 1 */
    uint32_t object_count, object_capacity;
    uint64_t *object_ids;       /* by object */
    uint32_t *slots, slot_count;        /* objects by id */
    struct name *names;         /* of the file's strings, sorted by id */
    uint32_t name_count, name_capacity;
    uint32_t array_classes[16]; /* of values, by type */
    bool failed;
};

/* A file without a name, where temporary files go; -1 with errno. */
int temporary_file(void);

/* Read a file; what it names goes to texts.  False with the reason logged. */
bool dump_read(struct dump *dump, const char *path, struct texts *texts);
void dump_release(struct dump *dump);

/* The class that an object is, "class p.C"; 0 if it is none. */
uint32_t dump_class_of(const struct dump *dump, uint32_t object);
/* An estimate of its bytes: a header of 16 and the values, rounded up to 8. */
uint64_t dump_size(struct dump *dump, uint32_t object);
/* By its id; 0 when there is none. */
uint32_t dump_object(const struct dump *dump, uint64_t id);

/* Told of each reference of an object: the name of the field, or what else it is. */
typedef void dump_visitor(void *argument, uint32_t label, uint32_t object);
/* Those in fields and elements, but for what soft, weak and phantom references refer to. */
void dump_fields(struct dump *dump, uint32_t object, dump_visitor *visit, void *argument);
/* Those that the VM has: to the class of an object, to the loader of a class. */
void dump_hidden(struct dump *dump, uint32_t object, dump_visitor *visit, void *argument);

#endif
