/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump_parts.h -- a heap dump that is being written, shared by the
 * files heapdump*.c.
 *
 * All functions are called while the world is stopped, by the thread that has stopped
 * it, in the order in which they stand here.  Errors of the file are kept in d->h and
 * told at the end (hprof_close); what is written behind one is dropped.  The process
 * ends when there is no native memory.
 */

#ifndef MINIVM_DIAGNOSTICS_HEAPDUMP_PARTS_H
#define MINIVM_DIAGNOSTICS_HEAPDUMP_PARTS_H

#include "base/buf.h"
#include "base/hprof.h"
#include "runtime/vm.h"

/* The serial number of the empty stack trace, which all objects have: where they were
   allocated is not known. */
enum { NO_TRACE = 1 };

/* A dump that is being written. */
struct dump {
    struct hprof h;
    struct thread *self;
    struct vm *vm;
    /* That of struct heap_dump. */
    bool out_of_memory;
    /* The symbols that were written, as keys. */
    struct ptrmap names;
    /* The classes (struct class *) by their serial number less 1, and from a class to
       its serial number; the same for threads, by their java.lang.Thread. */
    struct buf classes;
    struct ptrmap serials;
    struct buf threads;
    struct ptrmap thread_serials;
    /* The id of the next stack frame. */
    uint64_t next_frame;
    /* From a class to its struct plan, and the class that was looked up last. */
    struct ptrmap plans;
    const struct class *last;
    const struct plan *last_plan;
    /* The number of arrays that were too long for a record and were cut off. */
    uint64_t cut;
};

/* Returns the serial number of the key, or 0. */
static inline uint32_t
serial_of(const struct ptrmap *map, const void *key)
{
    return (uint32_t)(uintptr_t)ptrmap_get(map, key);
}

/* Gives the key the next serial number, from 1 on. */
static inline void
enumerate(struct buf *list, struct ptrmap *map, const void *key)
{
    buf_append(list, &key, sizeof key);
    ptrmap_put(map, key, (void *)(list->length / sizeof key));
}

/* Writes a symbol, unless it was written before or is NULL. */
void dump_write_name(struct dump *d, const struct symbol *name);

/* ---- classes (heapdump_classes.c) ---- */

/* Gives all classes their serial numbers, and writes the names that the records of
   classes refer to, and for each class the record that leads from its serial number and
   its id to its name. */
void dump_begin_classes(struct dump *d);

/* Writes the record of each class: superclass, loader, constants, fields, and the values
   of static fields. */
void dump_write_classes(struct dump *d);

/* Returns true if the Class object is written as the record of its class: if it is the
   mirror of a class that is in the dump.  Its id is then that of the class. */
bool dump_is_class_id(const struct dump *d, const struct object *mirror);

/* Returns how many fields the class itself declares: static ones, or the others. */
unsigned dump_count_fields(const struct class *c, bool statics);

/* ---- threads and roots (heapdump_roots.c) ---- */

/* Writes the empty stack trace and those of all threads that Java code can see, virtual
   ones included, and gives these threads their serial numbers.  The trace of thread n has
   the number NO_TRACE + n. */
void dump_write_threads(struct dump *d);

/* Writes what the garbage collector begins with. */
void dump_write_roots(struct dump *d);

/* ---- objects (heapdump_objects.c) ---- */

/* Writes all objects of the heap, and frees the field plans. */
void dump_write_objects(struct dump *d);

#endif
