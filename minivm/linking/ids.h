/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/ids.h -- jmethodID and jfieldID.
 *
 * An id is a number, never 0, that names a method, an obsolete version of a method, or
 * a field.  It is made when it is first asked for.  When the class is unloaded its ids
 * become invalid, and they are never used again for something else: a stale id is
 * always recognized.  Finding what an id names takes no lock.
 */

#ifndef MINIVM_LINKING_IDS_H
#define MINIVM_LINKING_IDS_H

#include <stdint.h>

struct class;
struct field;
struct method;
struct method_version;
struct vm;

/* Reserves the address space of the table.  Ends the process if there is none. */
void ids_init(struct vm *vm);

/* Make the id, or return the one made before.  They take class_mutex the first time. */
uintptr_t method_id(struct method *m);
uintptr_t field_id(struct field *f);
/* The id of an obsolete version (JVM TI "Obsolete Methods"); of a version that is not
   obsolete, the id of its method. */
uintptr_t version_id(struct method_version *version);

/* Each returns NULL if id was never given, names something of another kind, or belongs
   to a class that was unloaded. */
struct field *field_of_id(uintptr_t id);
/* The id of an obsolete version leads to its method. */
struct method *method_of_id(uintptr_t id);
/* The id of a method leads to its current version. */
struct method_version *version_of_id(uintptr_t id);

/* Makes the ids of c, which is being unloaded, invalid.  The world is stopped. */
void ids_forget_class(struct class *c);

#endif
