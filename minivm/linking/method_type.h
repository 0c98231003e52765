/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/method_type.h -- Class and MethodType objects of descriptors (JVMS
 * 4.3, 5.4.3.5).
 *
 * All functions may load classes, run Java code, stop and collect.  They return NULL
 * with the error pending.
 */

#ifndef MINIVM_LINKING_METHOD_TYPE_H
#define MINIVM_LINKING_METHOD_TYPE_H

#include <stdbool.h>
#include <stddef.h>

struct class;
struct descriptor_type;
struct loader;
struct object;
struct symbol;
struct thread;

/* Returns the class of the field descriptor of length bytes at descriptor, or that of
   void, as loader l sees it. */
struct class *class_of_descriptor(struct thread *self, struct loader *l,
                                  const char *descriptor, size_t length);

/* Returns the Class object of one type of a descriptor, as class from sees it.  If
   checked is true, from has to have access to it, or IllegalAccessError is pending. */
struct object *type_mirror(struct thread *self, struct class *from,
                           const struct descriptor_type *type, bool checked);
enum { UNCHECKED = false, CHECKED = true };

/* Returns the Class[] of the parameters of a method descriptor, in the caller's
   HANDLE_SCOPE, and stores the Class of its result in *returned.  checked: as above. */
struct object *parameter_mirrors(struct thread *self, struct class *from,
                                 const struct symbol *descriptor, bool checked,
                                 struct object **returned);

/* Returns the MethodType of a method descriptor in the context of class from, which has
   to have access to its types. */
struct object *method_type_of(struct thread *self, struct class *from,
                              const struct symbol *descriptor);

#endif
