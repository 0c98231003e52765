/* SPDX-License-Identifier: MIT */
/* minivm/test/boot-fixture.h -- a VM with the first classes, before System runs. */
#ifndef MINIVM_TEST_BOOT_FIXTURE_H
#define MINIVM_TEST_BOOT_FIXTURE_H

#include "test/assembler.h"
#include "linking/loader.h"
#include "runtime/vm.h"

/* The thread of a new VM over JDK17's class library; ends the program with a skip
   when there is none. */
struct thread *boot_fixture(void);

/* Define what a has in l and release it; NULL with the error pending. */
struct class *define(struct thread *self, struct loader *l, struct assembler *a);

/* Take the pending exception: "java/lang/LinkageError: its message", "" when there
   is none.  The text is good until the next call. */
const char *thrown(struct thread *self);

/* The methods t/Loader.loadClass calls: the class of that dotted name, or NULL. */
typedef struct object *load_fn(struct thread *self, struct object *loader,
                               const char *name);

/* A new class loader object, kept in the caller's scope, with its struct; its loads go
   to load. */
struct loader *make_loader(struct thread *self, load_fn *load);

/* class_own_method and class_own_field by texts. */
struct method *own_method(const struct class *c, const char *name,
                          const char *descriptor);
struct field *own_field(const struct class *c, const char *name);

#endif
