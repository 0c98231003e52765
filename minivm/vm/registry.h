/* SPDX-License-Identifier: MIT */
/* minivm/vm/registry.h -- shared by the files of the class side. */

#ifndef MINIVM_VM_REGISTRY_H
#define MINIVM_VM_REGISTRY_H

#include <pthread.h>

#include "base/jimage.h"
#include "vm/module.h"
#include "vm/vm.h"

struct zip;

/* A load or definition under way: (loader, name) by one thread. */
struct load {
    struct loader *loader;
    const struct symbol *name;
    struct thread *thread;
    struct load *waits_for;        /* of another thread, or NULL */
    struct load *next;
};

/* An entry of the boot loader's appended path, or of --patch-module's. */
struct boot_entry {
    char *path;
    struct zip *zip;               /* NULL: a directory */
    const struct symbol *module;   /* that it patches, or NULL */
};

struct class_space_block;

enum { SPACE_LISTS = 128 };

struct class_registry {
    /* class_space: memory below 4 GiB, guarded by class_mutex */
    char *space, *space_next, *space_committed, *space_end;
    struct class_space_block *space_free[SPACE_LISTS]; /* space.c */

    /* guarded by class_mutex; changed is signalled when a load or a redefinition
       ends or a class was linked or initialized */
    pthread_cond_t changed;
    struct load *loads;
    struct boot_entry *_Atomic boot_entries;
    _Atomic uint32_t boot_entry_count;
    struct class *dead;            /* unloaded by the last collection; linked by
                                      next_in_loader */
    struct loader *dead_loaders;
    struct ptrmap known_names;     /* symbol → enum known_class + 1; constant */
    uint32_t exchanges;            /* of versions of classes, so far; world stopped */
    bool is_booted;                /* java.lang.Class exists */
};

/* ---- space.c ---- */
/* Zeroed memory for a struct class; NULL when the space is exhausted. */
void *class_space_alloc(struct vm *vm, size_t size);
void class_space_free(struct vm *vm, void *block, size_t size);
void class_space_init(struct vm *vm);

/* ---- make.c ---- */
/* Bytes of a field or element of that type (Z B C S I J F D L). */
unsigned type_size(char type);
/*
 * The struct of a class whose file was parsed and whose direct supers are loaded.
 * Takes file over, also when it fails.  No mirror yet, not registered.  NULL with
 * the error pending.
 */
struct class *class_make(struct thread *self, struct loader *l, struct classfile *file,
                         struct class *super, struct class **interfaces);
/* A zeroed code becomes the version of m that from, of pool's file, describes. */
void code_init(struct code *code, struct method *m, const struct cf_method *from,
               struct cpool *pool);
/* A method without code that a new version of c adds: neither a constructor nor
   virtual.  The world is stopped, class_mutex is held. */
struct method *class_add_method(struct vm *vm, struct class *c,
                                const struct cf_method *from);
/* The java.lang.Class object with what the VM keeps in it; false with
   OutOfMemoryError pending. */
bool class_make_mirror(struct thread *self, struct class *c,
                       struct object *protection_domain, struct object *class_data);
/* Static fields' offsets, which need java.lang.Class's size. */
void class_lay_out_statics(struct vm *vm, struct class *c);
struct class *class_make_primitive(struct thread *self, char type);
/* Frees everything of a class; its struct last. */
void class_free(struct vm *vm, struct class *c);
/* The same once the collector has taken its mirror, if it has one.  Its definition has
   failed: c is in no table. */
void class_discard(struct vm *vm, struct class *c);

/* ---- loader.c ---- */
/* Wait until registry.changed is signalled, perhaps without a reason.  class_mutex is
   held, and again when it returns; the world may stop meanwhile. */
void registry_wait(struct thread *self);
/* Note that self loads or defines name by l.  Where another thread does and wait is
   true, wait for its end first.  False with ClassCircularityError pending when self
   does already. */
bool load_begin(struct thread *self, struct load *load, bool wait);
void load_end(struct thread *self, struct load *load);
/* l has answered c for name: note it as an initiating loader.  False with
   LinkageError pending. */
bool loader_record(struct thread *self, struct loader *l, const struct symbol *name,
                   struct class *c);
void loader_free(struct loader *l);

/* Chains of superclasses are loaded, linked and initialized by recursion: false with
   StackOverflowError pending when the C stack is used up. */
bool c_stack_left(struct thread *self);

/* The symbol of a class's name in internal form; NULL with error pending for NULL and
   for what is too long. */
const struct symbol *class_symbol(struct thread *self, const char *name,
                                  enum known_class error);

/* ---- boot.c ---- */
struct boot_bytes {
    const uint8_t *bytes;
    size_t length;
    char *source;                  /* for -verbose:class; owned */
    int32_t path_index;            /* as struct package has it */
    struct jimage_data image;
    void *owned;
};
bool boot_find(struct vm *vm, const struct symbol *name, struct boot_bytes *found);
void boot_bytes_release(struct boot_bytes *found);
void boot_init(struct vm *vm);

/* ---- constraints.c ---- */
/* Both loaders see the same classes of the names in a field's or method's descriptor,
   now and later: NULL, or the first name that fails.  Takes class_mutex. */
const struct symbol *constraints_add(struct vm *vm, struct loader *a, struct loader *b,
                                     const struct symbol *descriptor);
/* Under class_mutex: l begins to answer c for that name, and constraints without a
   class take it.  The class that forbids it, or NULL. */
struct class *constraints_record(struct loader *l, const struct symbol *name,
                                 struct class *c);
/* The loaders of what c's methods override and implement see the same types as its
   own does (JVMS 5.4.5); false with LinkageError pending. */
bool check_override_constraints(struct thread *self, struct class *c);
/* World stopped: a dead loader takes part in nothing any more.  Those that live have to
   forget before the dead are freed. */
void constraints_leave(struct loader *l);
/* World stopped: forget the classes that were unloaded, and the loaders that are dead. */
void loader_forget_unloaded(struct loader *l);

/* ---- unload.c ---- */
void unload_init(struct vm *vm);

/* ---- ids.c ---- */
void ids_init(struct vm *vm);
void ids_forget_class(struct class *c);

/* ---- wellknown.c ---- */
void known_init(struct vm *vm);
/* The number of a class of the profile's list if c has its name and is the boot
   loader's, else -1. */
int known_number(const struct vm *vm, const struct loader *l,
                 const struct symbol *name);

#endif
