/* SPDX-License-Identifier: MIT */
/* minivm/vm/class.h -- classes, methods, fields and constant pools at run time.
 *
 * Methods are stable, versions are not: everybody outside of a running frame
 * (vtables, call sites, MemberNames, ids) points to a struct method; its current
 * struct code is one load away.  A frame and a backtrace hold the code that they
 * began with, so redefinition leaves them what they run.
 *
 * struct class is allocated below 4 GiB (class_space_alloc) because an object's
 * header holds 32 bits of its address.  Metadata belongs to the class: it dies
 * with the class (its loader's, or alone when hidden). */

#ifndef MINIVM_VM_CLASS_H
#define MINIVM_VM_CLASS_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "heap/object.h"

struct thread;
struct loader;
struct module;
struct package;
struct class;
struct method;
struct code;
struct frame;
union insn;

/* A Java stack slot; long and double take two, the value is in the first. */
union slot {
    int32_t i;
    int64_t j;
    float f;
    double d;
    struct object *ref;
    uint64_t bits;
};

enum class_state {
    CLASS_LOADED,          /* superclasses loaded, fields laid out, vtable built */
    CLASS_LINKED,          /* verified and prepared: ClassPrepare was sent */
    CLASS_INITIALIZING,
    CLASS_INITIALIZED,
    CLASS_ERRONEOUS
};

enum class_flag {
    CLASS_IS_HIDDEN = 1,           /* Lookup.defineHiddenClass */
    CLASS_IS_WEAK = 2,             /* hidden and not strong: dies alone */
    CLASS_IS_TRUSTED = 4,          /* defined by boot or platform: not verified
                                      unless -Xverify:all */
    CLASS_SKIPS_CHECKS = 8,        /* subclass of MagicAccessorImpl */
    CLASS_IS_REPLACED = 16,        /* by a new version, in the current stop */
    CLASS_IS_CLONEABLE = 32,
    CLASS_IS_UNLOADED = 256,       /* dead; its memory goes at the next collection */
    CLASS_IS_POLYMORPHIC = 512,    /* MethodHandle and VarHandle */
    CLASS_IS_REFUSED = 1024        /* its definition failed; see class_discard */
};

/* One class's entry in the table of an implementing class, found by
   class_interface_method. */
struct itable_entry {
    struct method *interface_method, *target;
    struct itable_entry *next;
};

#define ITABLE_SLOTS 16

struct class {
    struct layout layout;          /* first: what object headers point to */
    const struct symbol *name;     /* internal form: java/lang/Object, [I, int;
                                      hidden: a/B+0x123 with '+' as in JVM names */
    struct class *super;           /* NULL: Object, interfaces and primitives */
    struct loader *loader;
    struct package *package;       /* run-time package (arrays: of bottom); NULL
                                      for primitives and their arrays */
    struct module *module;
    struct cpool *pool;            /* current version's; NULL for arrays etc. */
    uint16_t access_flags;         /* as in the class file */
    uint16_t flags;                /* enum class_flag */
    _Atomic uint8_t state;         /* enum class_state */
    uint8_t dimensions;            /* arrays, else 0 */
    char primitive;                /* 'I'…, 'V' for primitive classes, else 0 */
    uint8_t depth;                 /* supers above; display index when < 8 */

    /* Subtype tests: supers[0..min(depth,7)] from Object down to this class;
       interfaces: every superinterface, transitive, no duplicates. */
    struct class *supers[8];
    struct class **all_interfaces;
    uint32_t all_interface_count, interface_count;
    struct class **interfaces;     /* direct, in the order of the class file */
    struct class *_Atomic last_subtype_hit; /* cache of a secondary success */

    struct field *fields;          /* own, in the order of the class file */
    struct method *methods;        /* own, in the order of the first class file */
    struct method **added_methods; /* those that new versions added, or NULL */
    uint32_t field_count, method_count; /* with added and deleted ones */
    uint32_t added_count;
    uint32_t static_size;          /* bytes behind the mirror's own fields */
    struct reference_run *static_runs;
    uint32_t static_run_count;

    uint16_t *method_index;        /* open hash by name into methods, or NULL for
                                      few; method_index_mask + 1 places */
    uint32_t method_index_mask;
    uint32_t instance_end;         /* bytes, before rounding up to instance_size */

    struct itable_entry *_Atomic *itable; /* ITABLE_SLOTS chains, or NULL yet */
    struct thread *worker;         /* who links or initializes it, or NULL */
    struct thread *redefiner;      /* who redefines it, or NULL */
    struct object *init_error;     /* ExceptionInInitializerError that says why it is
                                      erroneous, or NULL; traced by class edges */

    struct class *element;         /* arrays: component class */
    struct class *bottom;          /* arrays: innermost element class */
    struct class *_Atomic array;   /* the class of arrays of this one, or NULL */

    struct class *_Atomic nest_host; /* resolved, or NULL */
    char *nest_host_error;         /* why resolution of NestHost failed, or NULL */
    const struct symbol *source_file; /* may be changed by redefinition */
    struct class *next_in_loader;
    struct arena arena;            /* what hangs here and dies with the class;
                                      class_mutex guards it once it is shared */
    void *upper[2];                /* data that the interp and jvmti floors hang
                                      here, freed by class_free hooks */

    uint32_t vtable_length;
    struct method *vtable[];       /* vtable_length entries */
};

enum method_flag {
    METHOD_HIDDEN = CF_MARK_HIDDEN, /* @Hidden: not in stack traces */
    METHOD_CALLER_SENSITIVE = CF_MARK_CALLER_SENSITIVE,
    METHOD_SCOPED = CF_MARK_SCOPED,
    METHOD_LAMBDA_COMPILED = CF_MARK_LAMBDA_COMPILED, /* LambdaForm$Compiled */
    /* Those that annotations of the class file decide. */
    METHOD_MARKS = METHOD_HIDDEN | METHOD_CALLER_SENSITIVE | METHOD_SCOPED
                   | METHOD_LAMBDA_COMPILED,
    METHOD_SIGNATURE_POLYMORPHIC = 4,
    METHOD_HAS_MONITORS = 32,      /* contains monitorenter or is synchronized */
    METHOD_INTRINSIC_TRIED = 256,
    METHOD_INITIALIZER = 2048,     /* <init> or <clinit> */
    METHOD_MANY_SLOTS = 4096,      /* in more than one slot of the vtable */
    METHOD_DELETED = 8192          /* by a new version; redefine.c */
};

/* vtable_index of methods that are not selected through the vtable. */
enum { VTABLE_NONE = -1 };

struct method {
    struct code *_Atomic code;     /* current version; see struct code */
    struct class *class;
    const struct symbol *name, *descriptor;
    uint16_t access_flags;         /* as in the class file */
    SHARED(uint16_t) flags;        /* enum method_flag */
    uint16_t arg_slots;            /* with the receiver */
    char return_type;              /* V Z B C S I J F D L (L for arrays too) */
    int32_t vtable_index;          /* or VTABLE_NONE; interfaces: VTABLE_NONE */
    uint32_t index;                /* in class->methods */
    uint32_t serial;               /* hash for itable chains */
    uintptr_t _Atomic id;          /* its jmethodID, 0: not asked yet */
    void *_Atomic native;          /* bound native function (foreign, by libffi),
                                      or NULL; RegisterNatives writes it */
    struct native_call *native_call; /* interp: cached call interface */
    bool (*intrinsic)(struct thread *self, union slot *args); /* interp */
};

/*
 * One version of a method's body.  A call enters at start; what stands there
 * says what to do: translate first, run, call a native, refuse (abstract).
 * frame_slots is the header and the operand stack: the callee's end is
 * locals + frame_slots.  Immutable but for start and the translator's data.
 */
struct code {
    const union insn *_Atomic start;
    uint32_t max_locals;           /* at least arg_slots */
    uint32_t frame_slots;
    struct method *method;
    struct cpool *pool;            /* the constant pool that its bytecodes mean */
    const struct cf_method *info;  /* NULL for methods made by the VM */
    struct translation *_Atomic translation; /* interp; NULL until first call */
    struct translation *_Atomic plain;       /* one bytecode at a time, for debug */
    struct framemap_cache *_Atomic maps;     /* vm/frame.c */
    _Atomic uint32_t breakpoints;  /* in plain: while there are any it runs */
    struct code *previous;         /* older versions that frames or ids still name */
    uintptr_t _Atomic id;          /* own jmethodID once obsolete, 0: none */
    uint32_t seen_running;         /* number of the last exchange of versions that
                                      found it in a frame; redefine.c */
    bool is_obsolete;
};

struct field {
    struct class *class;
    const struct symbol *name, *descriptor;
    uint16_t access_flags;
    SHARED(uint8_t) watched;       /* 1: access, 2: modification */
    SHARED(bool) is_quick;         /* instructions may access it without a look at
                                      watched (interp/form.c) */
    char type;                     /* Z B C S I J F D L */
    uint32_t offset;               /* in the instance, or in the mirror if static */
    uint32_t index;                /* in class->fields */
    uintptr_t _Atomic id;          /* its jfieldID, 0: not asked yet */
};

/* References that a constant pool holds: GC-visible by class edges. */
struct reference_chunk {
    struct reference_chunk *next;
    uint32_t used, capacity;
    struct object *slots[];
};

/*
 * Run-time constant pool of one version of a class (JVMS 5.1).  entries[i] is
 * set once, with release order, when the constant is resolved; what it points to
 * depends on the tag:
 *   CLASS                           struct class
 *   FIELDREF                        struct field
 *   METHODREF INTERFACE_METHODREF   struct method
 *   STRING METHOD_TYPE METHOD_HANDLE DYNAMIC
 *                                   the slot of a reference_chunk that holds it
 * An entry that failed to resolve holds a struct resolution_error (low bit set)
 * and throws the same error again (JVMS 5.4.3).
 */
struct cpool {
    struct class *class;
    struct classfile *file;        /* owned */
    struct cpool *previous;        /* older versions, kept while the class lives */
    uint8_t *initial;              /* owned; the class file before the agents changed
                                      it that can retransform, NULL: they did not */
    size_t initial_length;
    uint32_t told_from;            /* added to indices that Java sees; annotation.c */
    bool is_told;                  /* Java has some of them */
    struct reference_chunk *references; /* resolved objects, and what call sites
                                      keep by cpool_add_reference */
    void *_Atomic entries[];       /* cp_count */
};

/* A pool for file (taken over), of class c; allocated with mem_alloc. */
struct cpool *cpool_new(struct class *c, struct classfile *file);
void cpool_free(struct cpool *pool);
/* Keep o alive with the class; answers the place that holds it for good. */
struct object **cpool_add_reference(struct thread *self, struct cpool *pool,
                                    struct object *o);

/* What object headers hold. */
static inline struct class *
object_class(const struct object *o)
{
    return (struct class *)(uintptr_t)o->layout_ref;
}

#define ACCESS_TEST(function, type, flag) \
    static inline bool \
    function(const struct type *x) \
    { \
        return (x->access_flags & (flag)) != 0; \
    }
ACCESS_TEST(class_is_interface, class, ACC_INTERFACE)
ACCESS_TEST(method_is_static, method, ACC_STATIC)
ACCESS_TEST(method_is_native, method, ACC_NATIVE)
ACCESS_TEST(method_is_private, method, ACC_PRIVATE)
ACCESS_TEST(method_is_abstract, method, ACC_ABSTRACT)
ACCESS_TEST(field_is_static, field, ACC_STATIC)

static inline bool
class_is_array(const struct class *c)
{
    return c->dimensions != 0;
}

static inline enum class_state
class_state(const struct class *c)
{
    return (enum class_state)atomic_load_explicit(&c->state, memory_order_acquire);
}

static inline bool
class_is_initialized(const struct class *c)
{
    return class_state(c) == CLASS_INITIALIZED;
}

static inline struct code *
method_code(const struct method *m)
{
    return atomic_load_explicit(&m->code, memory_order_acquire);
}

/* Is from the same as or a subtype of to (JVMS instanceof rules, arrays too)? */
bool class_is_subtype_slow(struct class *from, struct class *to);

static inline bool
class_is_subtype(struct class *from, struct class *to)
{
    if (from == to)
        return true;
    if (!class_is_interface(to) && to->depth < 8 && !class_is_array(to))
        return from->supers[to->depth] == to;
    return class_is_subtype_slow(from, to);
}

static inline bool
object_is_instance(const struct object *o, struct class *c)
{
    return class_is_subtype(object_class(o), c);
}

/* Is super c itself or one of its superclasses?  Interfaces do not count. */
bool class_is_subclass(const struct class *c, const struct class *super);
bool class_same_package(const struct class *a, const struct class *b);

/* Is the name one of those Class constants of file? */
bool class_list_has(const struct classfile *file, const uint16_t *indices,
                    unsigned count, const struct symbol *name);

/* One of the method_count own methods. */
static inline struct method *
class_method(const struct class *c, uint32_t index)
{
    uint32_t first = c->method_count - c->added_count;

    return index < first ? &c->methods[index] : c->added_methods[index - first];
}

/* Own method or field, by name and descriptor; NULL when absent. */
struct method *class_own_method(const struct class *c, const struct symbol *name,
                                const struct symbol *descriptor);
struct field *class_own_field(const struct class *c, const struct symbol *name,
                              const struct symbol *descriptor);
/* Through the superclasses, then the superinterfaces (JVMS 5.4.3.2, .3, .4),
   without access checks and without throwing; NULL when absent. */
struct method *class_find_method(struct class *c, const struct symbol *name,
                                 const struct symbol *descriptor);
struct method *class_find_interface_method(struct class *c, const struct symbol *name,
                                           const struct symbol *descriptor);
struct field *class_find_field(struct class *c, const struct symbol *name,
                               const struct symbol *descriptor);

/* The method that an instance of c runs for interface method m, or NULL when there is
   none or several are maximally specific.  Caches in c->itable; thread-safe. */
struct method *class_select_interface(struct class *c, struct method *m);

/* Is m, of one of c's superinterfaces, overridden in none of them (JVMS 5.4.3.3)? */
bool class_is_maximal(const struct class *c, const struct method *m);

static inline struct method *
class_interface_method(struct class *c, struct method *m)
{
    struct itable_entry *_Atomic *table = __atomic_load_n(&c->itable, __ATOMIC_ACQUIRE);
    if (__builtin_expect(table != NULL, 1)) {
        struct itable_entry *e =
            atomic_load_explicit(&table[m->serial % ITABLE_SLOTS],
                                 memory_order_acquire);
        for (; e; e = e->next)
            if (e->interface_method == m)
                return e->target;
    }
    return NULL;
}

/*
 * Method selection (JVMS 5.4.6) for a receiver whose class is c, which is a
 * subtype of m->class.  A resolved method of an interface is selected by the
 * interface rules also when the call is an invokevirtual: classes have no vtable
 * entries for interface methods that they do not declare.  NULL: see
 * select_method, which throws.
 */
static inline struct method *
class_select(struct class *c, struct method *m)
{
    if (m->vtable_index >= 0)
        return c->vtable[m->vtable_index];
    if (!class_is_interface(m->class) || method_is_private(m))
        return m;
    return class_interface_method(c, m);
}

/* The class of arrays of c; makes it when needed.  NULL with an exception
   pending (memory, or more than 255 dimensions). */
struct class *class_array_of(struct thread *self, struct class *c);

/* The dotted name (java.lang.Object, [Ljava.lang.String;) for messages and Java;
   caller frees with mem_free. */
char *class_external_name(const struct class *c);
/* name with '/' made '.'; the caller frees. */
char *dotted_name(const char *name);
/*
 * A text as printf makes it; the caller frees.  %p and a letter stand for something of
 * the VM, in the words of HotSpot's messages:
 *   %pC  class             java.lang.Object
 *   %pN  char *            a/B as a.B
 *   %pM  method            void a.B.run(int, java.lang.String)
 *   %pS  method            void run(int, java.lang.String)
 *   %pK  class             interface, abstract class or class
 *   %pI  class             interface or class
 *   %pL  loader            'app', 'name' @1b2c or com.x.Loader @1b2c
 *   %pP  class             A is in unnamed module of loader 'app'
 *   %pO  class             the same, and for loaders of users: , parent loader 'app'
 *   %pF  char *            that text, which is freed; nothing for NULL
 */
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vprintf(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));
/* "A and B are in module m of loader 'app'", or "A is in …; B is in …"; the caller
   frees. */
char *class_describe_places(const struct class *a, const struct class *b);
/* Ljava/lang/Object; or [I or I, and what JVM TI calls its signature; caller frees. */
char *class_descriptor(const struct class *c);
char *class_signature(const struct class *c);

/* The class whose mirror this is; NULL never. Primitive mirrors answer the
   primitive class. */
struct class *class_of_mirror(const struct object *mirror);

/* ---- ids: index and generation, never reused; see ids.c ---- */
/* The id of a stable method or of an obsolete code version; never 0. */
uintptr_t method_id(struct method *m);
uintptr_t code_id(struct code *code);       /* method_id when it is current */
uintptr_t field_id(struct field *f);
/* NULL for an id that was never given or whose class was unloaded. */
struct method *method_of_id(uintptr_t id);  /* obsolete id: its stable method */
struct code *code_of_id(uintptr_t id);      /* the version that the id names */
struct field *field_of_id(uintptr_t id);

#endif
