/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/class.h -- classes, methods and fields at run time.
 *
 * Methods stay, versions change: everybody outside of a running frame (vtables, call
 * sites, MemberNames, ids) points to a struct method, whose current struct
 * method_version is one load away.  A frame and a backtrace hold the version that they
 * began with, so redefinition does not change what they run.
 *
 * struct class is allocated below 4 GiB (class_space.h) because an object's header
 * holds 32 bits of its address.  Its methods, fields and tables belong to the class and
 * are freed with it: when its loader is dead, or, for a weak hidden class, when the
 * class is.
 *
 * The functions here take no lock unless they say so, and neither stop nor collect
 * unless they have a thread.
 */

#ifndef MINIVM_LINKING_CLASS_H
#define MINIVM_LINKING_CLASS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "heap/object.h"
#include "linking/cpool.h"

struct thread;
struct loader;
struct module;
struct package;
struct class;
struct method;
struct method_version;
struct frame;
struct heap_fields;
union insn;

/* A slot of the Java stack (JVMS 2.6.1, 2.6.2).  A long or double takes two slots; its
   value is in the first. */
union slot {
    int32_t i;
    uint32_t u; /* i without a sign */
    int64_t j;
    float f;
    double d;
    struct object *ref;
    uint64_t bits;
};

/* How far a class has come (JVMS 5.5).  It only moves forward. */
enum class_state {
    CLASS_LOADED,       /* superclasses loaded, fields laid out, vtable built */
    CLASS_LINKED,       /* verified and prepared: ClassPrepare was sent */
    CLASS_INITIALIZING, /* one thread runs the initializer */
    CLASS_INITIALIZED,
    CLASS_ERRONEOUS /* the initializer has failed: every use throws */
};

enum class_flag {
    /* Made by Lookup.defineHiddenClass (JEP 371): no name finds it. */
    CLASS_IS_HIDDEN = 1,
    /* Hidden and not strong: it is unloaded without its loader. */
    CLASS_IS_WEAK = 2,
    /* Defined by the boot or platform loader: not verified unless -Xverify:all. */
    CLASS_IS_TRUSTED = 4,
    /* A subclass of the JDK's MagicAccessorImpl: neither verified nor checked for
       access. */
    CLASS_SKIPS_CHECKS = 8,
    /* It gets a new version in the current stop of the world. */
    CLASS_IS_REPLACED = 16,
    /* It implements java.lang.Cloneable. */
    CLASS_IS_CLONEABLE = 32,
    /* It was found dead, and is freed at the next collection. */
    CLASS_IS_UNLOADED = 256,
    /* MethodHandle and VarHandle, which have signature-polymorphic methods. */
    CLASS_IS_POLYMORPHIC = 512,
    /* Its definition has failed; see class_discard. */
    CLASS_IS_DISCARDED = 1024
};

/* An entry of a class's itable: the method that it runs for a method of an
   interface. */
struct itable_entry {
    struct method *interface_method, *target;
    struct itable_entry *next;
};

#define ITABLE_SLOTS 16

/* How many classes struct class.supers has room for. */
#define SUPERS_LENGTH 8

/*
 * A class, interface, array class, or primitive type.
 *
 * Most members are set while the class is made and do not change.  Those that do are
 * atomic, or class_mutex guards them, or they change only while the world is stopped.
 */
struct class {
    /* What the heap knows of the class.  It is first because object headers point to
       it. */
    struct layout layout;
    /* The internal form: java/lang/Object, [I, int.  A hidden class's has a '+' and a
       number at the end: a/B+0x0000000800000400. */
    const struct symbol *name;
    struct class *super; /* NULL: Object, interfaces and primitives */
    struct loader *loader;
    /* The run-time package, for arrays that of bottom; NULL for primitives and their
       arrays. */
    struct package *package;
    struct module *module;
    struct cpool *pool;    /* of the current version; NULL for arrays and primitives */
    uint16_t access_flags; /* as in the class file */
    uint16_t flags;        /* enum class_flag */
    _Atomic uint8_t state; /* enum class_state */
    uint8_t dimensions;    /* of an array class, else 0 */
    char primitive;        /* the descriptor character of a primitive class, else 0 */
    uint8_t depth;         /* how many superclasses it has, at most 255 */

    /* For subtype tests: supers[0] is Object, supers[depth] the class itself if there
       is room for it. */
    struct class *supers[SUPERS_LENGTH];
    /* Every superinterface, direct or not, once. */
    struct class **all_interfaces;
    uint32_t all_interface_count, interface_count;
    struct class **interfaces; /* the direct ones, in the order of the class file */
    /* The last class that class_is_subtype_slow has found to be a supertype. */
    struct class *_Atomic last_subtype_hit;

    struct field *fields;   /* its own, in the order of the class file */
    struct method *methods; /* its own, in the order of the first class file */
    /* Methods that new versions have added, or NULL; method_count counts them, too, and
       those that were deleted.  class_method finds both kinds by index. */
    struct method **added_methods;
    uint32_t field_count, method_count;
    uint32_t added_count;
    /* The bytes of the static fields, which lie in the mirror behind its own fields,
       and where references are among them. */
    uint32_t static_size;
    struct reference_run *static_runs;
    uint32_t static_run_count;

    /* A hash table by name of indices into the methods, plus 1; 0 is free.  It is
       probed in order and has method_index_mask + 1 slots.  NULL if there are few
       methods. */
    uint16_t *method_index;
    uint32_t method_index_mask;
    /* The bytes of an instance before they are rounded up to layout.instance_size:
       where a subclass's fields begin. */
    uint32_t instance_end;

    /* The itable: ITABLE_SLOTS lists, or NULL while none is needed. */
    struct itable_entry *_Atomic *itable;
    /* The thread that has the initialization lock (init_lock), and the one that is
       redefining the class; or NULL.  class_mutex guards them. */
    struct thread *initializing_thread, *redefining_thread;
    /* The ExceptionInInitializerError that says why the class is erroneous, or NULL.
       The collector finds it by the class. */
    struct object *init_error;

    struct class *element; /* arrays: the component class */
    struct class *bottom;  /* arrays: the innermost element class; else the class */
    struct class *_Atomic array; /* the class of arrays of this one, or NULL */

    struct class *_Atomic nest_host; /* NULL: not resolved yet */
    char *nest_host_error; /* why resolution of NestHost has failed, or NULL */
    const struct symbol *source_file;
    struct class *next_in_loader;
    /* What belongs to the class and is freed with it.  class_mutex guards it once other
       threads know the class. */
    struct arena arena;
    /* The fields that JVM TI's heap walks report, or NULL; jvmti/heap.c makes them and
       frees them by a class_add_free_hook. */
    struct heap_fields *heap_fields;

    uint32_t vtable_length;
    struct method *vtable[];
};

enum method_flag {
    METHOD_HIDDEN = CF_ANNOTATION_HIDDEN, /* @Hidden: not in stack traces */
    METHOD_CALLER_SENSITIVE = CF_ANNOTATION_CALLER_SENSITIVE,
    METHOD_SCOPED = CF_ANNOTATION_SCOPED,
    METHOD_LAMBDA_COMPILED = CF_ANNOTATION_LAMBDA_COMPILED, /* LambdaForm$Compiled */
    /* A native by which transitions of virtual threads begin and end; and a method around
       them.  Neither is reported to agents (JVM TI), and the former is not seen as the
       newest frame. */
    METHOD_MOUNT_TRANSITION = CF_ANNOTATION_MOUNT_TRANSITION,
    METHOD_HIDES_EVENTS = CF_ANNOTATION_HIDE_EVENTS,
    /* Those that annotations in the class file decide. */
    METHOD_MARKS = METHOD_HIDDEN | METHOD_CALLER_SENSITIVE | METHOD_SCOPED
                   | METHOD_LAMBDA_COMPILED | METHOD_MOUNT_TRANSITION
                   | METHOD_HIDES_EVENTS,
    METHOD_SIGNATURE_POLYMORPHIC = 4, /* fits any descriptor (JVMS 2.9.3) */
    METHOD_HAS_MONITORS = 32,         /* contains monitorenter or is synchronized */
    /* Its intrinsic was looked up, with success or not, so it is not done again. */
    METHOD_INTRINSIC_TRIED = 256,
    METHOD_INITIALIZER = 2048, /* <init> or <clinit> */
    METHOD_MANY_SLOTS = 4096,  /* in more than one slot of the vtable */
    METHOD_DELETED = 8192      /* the current version of the class does not have it */
};

/* The vtable_index of methods that are not selected through the vtable. */
enum { VTABLE_NONE = -1 };

/*
 * One version of a method's body.  A call enters at start; the instruction there says
 * what to do: translate first, run, call a native, or refuse (abstract).  Everything
 * but start and the translator's data is constant.
 */
struct method_version {
    const union insn *_Atomic start;
    uint32_t max_locals; /* at least arg_slots */
    /* The slots of a frame's header and operand stack.  A frame ends frame_slots behind
       its last local. */
    uint32_t frame_slots;
    struct method *method;
    struct cpool *pool;           /* the constant pool that its bytecodes refer to */
    const struct cf_method *info; /* NULL for methods that the VM has made */
    struct translation *_Atomic translation; /* interp; NULL until the first call */
    /* interp: the debug translation, or NULL. */
    struct translation *_Atomic debug_translation;
    struct framemap_cache *_Atomic maps; /* runtime/frame.c */
    /* How many breakpoints the debug translation has.  While there are any it runs. */
    _Atomic uint32_t breakpoints;
    /* The next older version that a frame runs or an id names. */
    struct method_version *previous;
    uintptr_t _Atomic id; /* its own jmethodID once it is obsolete; 0: none */
    /* vm->redefinitions when redefine.c has last found a frame that runs it. */
    uint32_t seen_running;
    bool is_obsolete;
};

/* A method.  It stays the same under redefinition: what changes is its version. */
struct method {
    struct method_version *_Atomic version; /* the current one */
    /* The one that the method is made with.  It lies beside the pointer to it, so that
       a call, which reads both, meets one line of the cache. */
    struct method_version first;
    struct class *class;
    const struct symbol *name, *descriptor;
    uint16_t access_flags;  /* as in the class file */
    SHARED(uint16_t) flags; /* enum method_flag */
    uint16_t arg_slots;     /* with the receiver */
    char return_type;       /* V Z B C S I J F D L (L for arrays, too) */
    int32_t vtable_index;   /* or VTABLE_NONE, as for all methods of interfaces */
    uint32_t index;         /* the one that class_method takes */
    uint32_t serial;        /* a number of its own; the hash of itables */
    uintptr_t _Atomic id;   /* its jmethodID; 0: nobody has asked yet */
    /* The function of a native method, or NULL: not bound.  RegisterNatives writes
       it. */
    void *_Atomic native;
    struct native_call *native_call; /* interp: how to call native */
    bool (*intrinsic)(struct thread *self, union slot *args); /* interp; or NULL */
};

/* Returns the bytes of a field or array element of that type (Z B C S I J F D L). */
unsigned type_size(char type);

/* The bits of struct field's watched (JVM TI "Watched Field"). */
enum { FIELD_WATCH_ACCESS = 1, FIELD_WATCH_MODIFICATION = 2 };

struct field {
    struct class *class;
    const struct symbol *name, *descriptor;
    uint16_t access_flags;
    SHARED(uint8_t) watched; /* FIELD_WATCH_... */
    /* Instructions may access the field without a look at watched
       (interp/field_watch.c). */
    SHARED(bool) is_quick;
    char type;            /* Z B C S I J F D L */
    uint32_t offset;      /* in the instance, or in the mirror if it is static */
    uint32_t index;       /* in class->fields */
    uintptr_t _Atomic id; /* its jfieldID; 0: nobody has asked yet */
};

/* Returns the class that an object's header names. */
static inline struct class *
object_class(const struct object *o)
{
    return (struct class *)(uintptr_t)o->layout_ref;
}

static inline bool
class_is_interface(const struct class *c)
{
    return (c->access_flags & ACC_INTERFACE) != 0;
}

static inline bool
method_is_static(const struct method *m)
{
    return (m->access_flags & ACC_STATIC) != 0;
}

static inline bool
method_is_native(const struct method *m)
{
    return (m->access_flags & ACC_NATIVE) != 0;
}

static inline bool
method_is_private(const struct method *m)
{
    return (m->access_flags & ACC_PRIVATE) != 0;
}

static inline bool
method_is_abstract(const struct method *m)
{
    return (m->access_flags & ACC_ABSTRACT) != 0;
}

static inline bool
field_is_static(const struct field *f)
{
    return (f->access_flags & ACC_STATIC) != 0;
}

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

static inline struct method_version *
method_version(const struct method *m)
{
    return atomic_load_explicit(&m->version, memory_order_acquire);
}

/* Does what class_is_subtype does, for all cases.  Callers use class_is_subtype, which
   calls this where its own test is not enough. */
bool class_is_subtype_slow(struct class *from, struct class *to);

/* Returns true if from is to or a subtype of it, by the rules of JVMS 6.5
   "instanceof". */
static inline bool
class_is_subtype(struct class *from, struct class *to)
{
    if (from == to)
        return true;
    if (!class_is_interface(to) && to->depth < SUPERS_LENGTH && !class_is_array(to))
        return from->supers[to->depth] == to;
    return class_is_subtype_slow(from, to);
}

/* Returns true if o, which is not NULL, is an instance of c or of a subtype. */
static inline bool
object_is_instance(const struct object *o, struct class *c)
{
    return class_is_subtype(object_class(o), c);
}

/*
 * Returns true if an object of class c may be stored in a variable whose type is the
 * field descriptor text, of that length, as classes of loader l see the name.  Loads no
 * class.  If lenient, the answer is as the verifier would give it (JVMS 4.10.1.2): an
 * interface type accepts every object, and so does a class that l has not recorded.
 */
enum { STRICT = false, LENIENT = true };
bool type_accepts(struct loader *l, const char *text, size_t length, struct class *c,
                  bool lenient);

/* Returns true if super is c or one of its superclasses.  Superinterfaces do not
   count. */
bool class_is_subclass(const struct class *c, const struct class *super);

/* Returns true if both are in the same run-time package (JVMS 5.3). */
bool class_same_package(const struct class *a, const struct class *b);

/* Returns true if one of the Class constants of file with these indices, of which there
   are count, has that name. */
bool class_list_has(const struct classfile *file, const uint16_t *indices,
                    unsigned count, const struct symbol *name);

/* Returns the own method of c with that index, which is less than method_count. */
static inline struct method *
class_method(const struct class *c, uint32_t index)
{
    uint32_t first = c->method_count - c->added_count;

    return index < first ? &c->methods[index] : c->added_methods[index - first];
}

/* Returns the method or field of that name and descriptor that c itself declares, or
   NULL. Methods that were deleted are not found. */
struct method *class_own_method(const struct class *c, const struct symbol *name,
                                const struct symbol *descriptor);
struct field *class_own_field(const struct class *c, const struct symbol *name,
                              const struct symbol *descriptor);
/* Look a member up as resolution does, through the superclasses and superinterfaces
   (JVMS 5.4.3.2, 5.4.3.3, 5.4.3.4), but check no access and throw nothing: NULL if
   there is none.  class_find_method is for classes, also those of arrays,
   class_find_interface_method for interfaces. */
struct method *class_find_method(struct class *c, const struct symbol *name,
                                 const struct symbol *descriptor);
struct method *class_find_interface_method(struct class *c, const struct symbol *name,
                                           const struct symbol *descriptor);
struct field *class_find_field(struct class *c, const struct symbol *name,
                               const struct symbol *descriptor);

/* Returns the method that an instance of c runs for interface method m (JVMS 5.4.6), or
   NULL if there is none or several are maximally specific; it may be abstract.  Enters
   the result in c->itable; may take class_mutex.  Throws nothing: select_method
   (select.h) does. */
struct method *class_select_interface(struct class *c, struct method *m);

/* Returns true if m, which a superinterface of c declares, is maximally specific: no
   other superinterface of c overrides it (JVMS 5.4.3.3). */
bool class_is_maximal(const struct class *c, const struct method *m);

/* Returns what c->itable has for interface method m, or NULL if it has nothing yet. */
static inline struct method *
class_interface_method(struct class *c, struct method *m)
{
    struct itable_entry *_Atomic *table = __atomic_load_n(&c->itable, __ATOMIC_ACQUIRE);

    if (__builtin_expect(table != NULL, 1)) {
        struct itable_entry *e = atomic_load_explicit(&table[m->serial % ITABLE_SLOTS],
                                                      memory_order_acquire);
        for (; e; e = e->next)
            if (e->interface_method == m)
                return e->target;
    }
    return NULL;
}

/*
 * Selects the method that a receiver of class c, a subtype of m->class, runs for the
 * resolved method m (JVMS 5.4.6).  A method of an interface is selected through the
 * itable also when the call is an invokevirtual: classes have no vtable entries for
 * interface methods that they do not declare.  If the result is NULL or abstract,
 * select_method (select.h) finds the method or throws.
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

/* Returns the class of arrays of c, which it makes if needed.  Returns NULL with
   OutOfMemoryError, or IllegalArgumentException for more than 255 dimensions or too
   long a name, pending.  May stop and collect. */
struct class *class_array_of(struct thread *self, struct class *c);

/* Returns the name as Class.getName has it (java.lang.Object, [Ljava.lang.String;); the
   caller frees it with mem_free. */
char *class_external_name(const struct class *c);
/* Returns the descriptor of the type (JVMS 4.3.2): Ljava/lang/Object; or [I or I; the
   caller frees it with mem_free. */
char *class_descriptor(const struct class *c);

/* Returns what JVM TI "Get Class Signature" calls the signature; the caller frees it
   with mem_free.  It differs from the descriptor for hidden classes only:
   La/B.0x0000000800000400;. */
char *class_signature(const struct class *c);

/* Returns true if the CONSTANT_Class at index of file's pool names the file's own class.
   Index 0 stands for no class. */
bool class_file_names_itself(const struct classfile *file, unsigned index);

/* Returns the entry of file's InnerClasses attribute that describes the file's own
   class, or NULL if the class is a top-level one (JVMS 4.7.6) or file is NULL. */
const struct cf_inner_class *class_file_own_entry(const struct classfile *file);

/* Returns Reflection.getClassAccessFlags: the class file's own flags, not those of the
   InnerClasses attribute; and Class.getModifiers. */
int32_t class_access_flags(const struct class *c);
int32_t class_modifiers(const struct class *c);

/* Returns the class whose java.lang.Class object this is; mirror is not NULL and is
   nothing else. */
struct class *class_of_mirror(const struct object *mirror);

#endif
