/* SPDX-License-Identifier: MIT */
/* minivm/jdk/unsafe.c -- jdk.internal.misc.Unsafe.
 *
 * An offset is a byte offset in the object; statics are in the class's mirror; with
 * a null object it is an address.  Arguments: this, object, offset (two slots),
 * values. */

#include "jdk/jdk.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/os.h"
#include "interp/interp.h"
#include "vm/exception.h"
#include "vm/fault.h"
#include "vm/link.h"
#include "vm/string.h"
#include "vm/vm.h"

static void *
place(const union slot *args)
{
    return (char *)(uintptr_t)args[1].ref + args[2].j;
}

/* With a null object the address is anybody's guess: a mapped file may have shrunk. */
static bool
guarded(struct thread *self, union slot *args,
        bool (*body)(struct thread *self, union slot *args))
{
    if (fault_guard(self, body, args))
        return true;
    THROW(self, InternalError,
          "a fault occurred in an unsafe memory access operation");
    return false;
}

#define GUARDED(name) \
static bool \
name(struct thread *self, union slot *args) \
{ \
    return args[1].ref ? name##_body(self, args) : guarded(self, args, name##_body); \
}

/* ---- get and put ---- */

#define ACCESS(name, type, member, order, suffix) \
static bool \
get_##name##suffix##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    type value; \
    __atomic_load((type *)place(args), &value, order); \
    args[0].member = value; \
    return true; \
} \
static bool \
put_##name##suffix##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    type value = (type)args[4].member; \
    __atomic_store((type *)place(args), &value, order); \
    return true; \
} \
GUARDED(get_##name##suffix) \
GUARDED(put_##name##suffix)

#define BOTH_ACCESSES(name, type, member) \
    ACCESS(name, type, member, __ATOMIC_RELAXED, ) \
    ACCESS(name, type, member, __ATOMIC_SEQ_CST, _volatile)

BOTH_ACCESSES(byte, int8_t, i)
BOTH_ACCESSES(short, int16_t, i)
BOTH_ACCESSES(char, uint16_t, i)
BOTH_ACCESSES(int, int32_t, i)
BOTH_ACCESSES(long, int64_t, j)
BOTH_ACCESSES(float, float, f)
BOTH_ACCESSES(double, double, d)
BOTH_ACCESSES(reference, struct object *, ref)

#define BOOLEAN(order, suffix) \
static bool \
get_boolean##suffix##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    args[0].i = __atomic_load_n((uint8_t *)place(args), order) != 0; \
    return true; \
} \
static bool \
put_boolean##suffix##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    __atomic_store_n((uint8_t *)place(args), (uint8_t)(args[4].i & 1), order); \
    return true; \
} \
GUARDED(get_boolean##suffix) \
GUARDED(put_boolean##suffix)
BOOLEAN(__ATOMIC_RELAXED, )
BOOLEAN(__ATOMIC_SEQ_CST, _volatile)

/* ---- compare and set; expected at 4, the new value at `at` ---- */

#define COMPARE_AND(name, type, member, at) \
static bool \
compare_and_set_##name##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    type expected = args[4].member; \
    args[0].i = __atomic_compare_exchange_n((type *)place(args), &expected, \
                                            args[at].member, false, \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return true; \
} \
static bool \
compare_and_exchange_##name##_body(struct thread *self, union slot *args) \
{ \
    (void)self; \
    type expected = args[4].member; \
    __atomic_compare_exchange_n((type *)place(args), &expected, args[at].member, \
                                false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    args[0].member = expected; \
    return true; \
} \
GUARDED(compare_and_set_##name) \
GUARDED(compare_and_exchange_##name)
COMPARE_AND(int, int32_t, i, 5)
COMPARE_AND(long, int64_t, j, 6)
COMPARE_AND(reference, struct object *, ref, 5)

/* get-and-update loops are Java code over these in the class library, but hot */
static bool
get_and_add_int_body(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = __atomic_fetch_add((int32_t *)place(args), args[4].i, __ATOMIC_SEQ_CST);
    return true;
}
GUARDED(get_and_add_int)

static bool
get_and_add_long_body(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = __atomic_fetch_add((int64_t *)place(args), args[4].j, __ATOMIC_SEQ_CST);
    return true;
}
GUARDED(get_and_add_long)

static bool
get_and_set_int_body(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = __atomic_exchange_n((int32_t *)place(args), args[4].i, __ATOMIC_SEQ_CST);
    return true;
}
GUARDED(get_and_set_int)

static bool
get_and_set_long_body(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = __atomic_exchange_n((int64_t *)place(args), args[4].j, __ATOMIC_SEQ_CST);
    return true;
}
GUARDED(get_and_set_long)

static bool
get_and_set_reference(struct thread *self, union slot *args)
{
    (void)self;
    args[0].ref = __atomic_exchange_n((struct object **)place(args), args[4].ref,
                                      __ATOMIC_SEQ_CST);
    return true;
}

/* ---- fences ---- */

static bool
load_fence(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return true;
}

static bool
store_fence(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return true;
}

static bool
full_fence(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return true;
}

/* ---- memory ---- */

static bool
allocate_memory(struct thread *self, union slot *args)
{
    void *p = mem_try_alloc((size_t)args[1].j);

    if (!p) {
        throw_out_of_memory(self, "Unsafe memory");
        return false;
    }
    args[0].j = (int64_t)(uintptr_t)p;
    return true;
}

static bool
reallocate_memory(struct thread *self, union slot *args)
{
    void *p = mem_try_realloc((void *)(uintptr_t)args[1].j, (size_t)args[3].j);

    if (!p) {
        throw_out_of_memory(self, "Unsafe memory");
        return false;
    }
    args[0].j = (int64_t)(uintptr_t)p;
    return true;
}

static bool
free_memory(struct thread *self, union slot *args)
{
    (void)self;
    mem_free((void *)(uintptr_t)args[1].j);
    return true;
}

static bool
set_memory_body(struct thread *self, union slot *args)
{
    (void)self;
    memset(place(args), args[6].i, (size_t)args[4].j);
    return true;
}
GUARDED(set_memory)

static bool
copy_memory_body(struct thread *self, union slot *args)
{
    (void)self;
    char *to = (char *)(uintptr_t)args[4].ref + args[5].j;
    shared_move(to, place(args), (size_t)args[7].j);
    return true;
}

static bool
copy_memory(struct thread *self, union slot *args)
{
    return args[1].ref && args[4].ref ? copy_memory_body(self, args)
                                      : guarded(self, args, copy_memory_body);
}

static void
swap_element(char *to, const char *from, size_t size)
{
    char swapped[8];

    for (size_t i = 0; i < size; i++)
        swapped[i] = from[size - 1 - i];
    memcpy(to, swapped, size);
}

static bool
copy_swap_memory_body(struct thread *self, union slot *args)
{
    (void)self;
    char *from = place(args), *to = (char *)(uintptr_t)args[4].ref + args[5].j;
    size_t bytes = (size_t)args[7].j, size = (size_t)args[9].j;

    if (to <= from || to >= from + bytes)
        for (size_t i = 0; i < bytes; i += size)
            swap_element(to + i, from + i, size);
    else
        for (size_t i = bytes; i > 0; i -= size)
            swap_element(to + i - size, from + i - size, size);
    return true;
}

static bool
copy_swap_memory(struct thread *self, union slot *args)
{
    return args[1].ref && args[4].ref ? copy_swap_memory_body(self, args)
                                      : guarded(self, args, copy_swap_memory_body);
}

/* ---- layout ---- */

static struct field *
field_of_reflected(struct thread *self, const struct object *reflected)
{
    struct vm *vm = self->vm;
    struct class *c =
        class_of_mirror(OBJECT_FIELD(struct object *, reflected, KF(vm, Field_clazz)));

    return &c->fields[OBJECT_FIELD(int32_t, reflected, KF(vm, Field_slot))];
}

static bool
field_offset(struct thread *self, union slot *args)
{
    if (!args[1].ref) {
        throw_null_pointer(self);
        return false;
    }
    args[0].j = field_of_reflected(self, args[1].ref)->offset;
    return true;
}

static bool
field_offset_by_name(struct thread *self, union slot *args)
{
    if (!args[1].ref || !args[2].ref) {
        throw_null_pointer(self);
        return false;
    }
    struct class *c = class_of_mirror(args[1].ref);
    const struct symbol *name = string_to_symbol(args[2].ref, false);
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (c->fields[i].name == name) {
            args[0].j = c->fields[i].offset;
            return true;
        }
    }
    THROW0(self, InternalError);
    return false;
}

static bool
static_field_base(struct thread *self, union slot *args)
{
    if (!args[1].ref) {
        throw_null_pointer(self);
        return false;
    }
    args[0].ref = field_of_reflected(self, args[1].ref)->class->layout.mirror;
    return true;
}

static bool
array_base_offset(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = ARRAY_BASE;
    return true;
}

static bool
array_index_scale(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = 1 << class_of_mirror(args[1].ref)->layout.element_shift;
    return true;
}

/* ---- classes and objects ---- */

static bool
should_be_initialized(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = !class_is_initialized(class_of_mirror(args[1].ref));
    return true;
}

static bool
ensure_class_initialized(struct thread *self, union slot *args)
{
    if (!args[1].ref) {
        throw_null_pointer(self);
        return false;
    }
    return class_initialize(self, class_of_mirror(args[1].ref));
}

static bool
allocate_instance(struct thread *self, union slot *args)
{
    struct class *c = class_of_mirror(args[1].ref);

    if (c->primitive || class_is_array(c) || c == KC(self->vm, Class)
        || (c->access_flags & (ACC_ABSTRACT | ACC_INTERFACE))) {
        char *name = class_external_name(c);
        THROW(self, InstantiationException, "%s", name);
        mem_free(name);
        return false;
    }
    SCOPE(self);
    if (!class_initialize(self, c))
        return false;
    args[0].ref = object_made_by_vm(self, object_new(self, c));
    return args[0].ref != NULL;
}

static bool
throw_exception(struct thread *self, union slot *args)
{
    if (args[1].ref)
        throw_object(self, args[1].ref);
    else
        throw_null_pointer(self);
    return false;
}

static bool
define_class(struct thread *self, union slot *args)
{
    /* this, name, bytes, offset, length, loader, protection domain */
    struct object *bytes = args[2].ref;
    struct class_definition d = { .protection_domain = args[6].ref };

    if (!bytes) {
        throw_null_pointer(self);
        return false;
    }
    if (args[1].ref)
        d.name = string_to_symbol(args[1].ref, true);
    /* A copy: the array may change meanwhile. */
    uint8_t *copy = mem_alloc((size_t)args[4].i + 1);
    memcpy(copy, ARRAY_BYTES(bytes) + args[3].i, (size_t)args[4].i);
    d.bytes = copy;
    d.length = (size_t)args[4].i;
    struct class *c = class_define(self, loader_of(self, args[5].ref), &d);
    mem_free(copy);
    args[0].ref = c ? c->layout.mirror : NULL;
    return c != NULL;
}

/* ---- threads ---- */

static bool
park(struct thread *self, union slot *args)
{
    thread_park(self, args[1].i != 0, args[2].j);
    return !exception_pending(self);
}

static bool
unpark(struct thread *self, union slot *args)
{
    struct thread *t = args[1].ref ? thread_pin(self->vm, args[1].ref) : NULL;

    if (t) {
        thread_unpark(t);
        thread_unpin(t);
    }
    return true;
}

static bool
load_average(struct thread *self, union slot *args)
{
    double values[3];
    int count = args[2].i;

    (void)self;
    count = getloadavg(values, count < 3 ? count : 3);
    for (int i = 0; i < count; i++)
        ARRAY_DOUBLES(args[1].ref)[i] = values[i];
    args[0].i = count;
    return true;
}

static bool
nothing(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

#define O "Ljava/lang/Object;"
#define ACCESS_ROWS(Name, name, d) \
    { "get" Name, "(" O "J)" d, get_##name }, \
    { "put" Name, "(" O "J" d ")V", put_##name }, \
    { "get" Name "Volatile", "(" O "J)" d, get_##name##_volatile }, \
    { "put" Name "Volatile", "(" O "J" d ")V", put_##name##_volatile }
#define COMPARE_ROWS(Name, name, d) \
    { "compareAndSet" Name, "(" O "J" d d ")Z", compare_and_set_##name }, \
    { "compareAndExchange" Name, "(" O "J" d d ")" d, compare_and_exchange_##name }

static const struct intrinsic rows[] = {
    { "registerNatives", "()V", nothing },
    ACCESS_ROWS("Boolean", boolean, "Z"), ACCESS_ROWS("Byte", byte, "B"),
    ACCESS_ROWS("Short", short, "S"), ACCESS_ROWS("Char", char, "C"),
    ACCESS_ROWS("Int", int, "I"), ACCESS_ROWS("Long", long, "J"),
    ACCESS_ROWS("Float", float, "F"), ACCESS_ROWS("Double", double, "D"),
    ACCESS_ROWS("Reference", reference, O),
    COMPARE_ROWS("Int", int, "I"), COMPARE_ROWS("Long", long, "J"),
    COMPARE_ROWS("Reference", reference, O),
    { "getAndAddInt", "(" O "JI)I", get_and_add_int },
    { "getAndAddLong", "(" O "JJ)J", get_and_add_long },
    { "getAndSetInt", "(" O "JI)I", get_and_set_int },
    { "getAndSetLong", "(" O "JJ)J", get_and_set_long },
    { "getAndSetReference", "(" O "J" O ")" O, get_and_set_reference },
    { "loadFence", "()V", load_fence },
    { "storeFence", "()V", store_fence },
    { "fullFence", "()V", full_fence },
    { "allocateMemory0", "(J)J", allocate_memory },
    { "reallocateMemory0", "(JJ)J", reallocate_memory },
    { "freeMemory0", "(J)V", free_memory },
    { "setMemory0", "(" O "JJB)V", set_memory },
    { "copyMemory0", "(" O "J" O "JJ)V", copy_memory },
    { "copySwapMemory0", "(" O "J" O "JJJ)V", copy_swap_memory },
    { "objectFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset },
    { "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J",
      field_offset_by_name },
    { "staticFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset },
    { "staticFieldBase0", "(Ljava/lang/reflect/Field;)" O, static_field_base },
    { "shouldBeInitialized0", "(Ljava/lang/Class;)Z", should_be_initialized },
    { "ensureClassInitialized0", "(Ljava/lang/Class;)V", ensure_class_initialized },
    { "arrayBaseOffset0", "(Ljava/lang/Class;)I", array_base_offset },
    { "arrayIndexScale0", "(Ljava/lang/Class;)I", array_index_scale },
    { "allocateInstance", "(Ljava/lang/Class;)" O, allocate_instance },
    { "throwException", "(Ljava/lang/Throwable;)V", throw_exception },
    { "defineClass0",
      "(Ljava/lang/String;[BIILjava/lang/ClassLoader;"
      "Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
      define_class },
    { "park", "(ZJ)V", park },
    { "unpark", "(" O ")V", unpark },
    { "getLoadAverage0", "([DI)I", load_average },
    { NULL, NULL, NULL }
};

/* ---- jdk.internal.misc.UnsafeConstants: the VM writes what it knows ---- */

static void
set_constant(struct class *c, const char *name, const char *descriptor, int32_t value)
{
    struct field *f = class_own_field(c, symbol_of(name), symbol_of(descriptor));

    if (!f)
        return;
    if (descriptor[0] == 'Z')
        OBJECT_FIELD(int8_t, c->layout.mirror, f->offset) = (int8_t)value;
    else
        OBJECT_FIELD(int32_t, c->layout.mirror, f->offset) = value;
}

bool
unsafe_set_constants(struct thread *self)
{
    static const union {
        uint16_t word;
        uint8_t bytes[2];
    } order = { 1 };
    struct class *c = class_load_boot(self, "jdk/internal/misc/UnsafeConstants");

    if (!c || !class_initialize(self, c))
        return false;
    set_constant(c, "ADDRESS_SIZE0", "I", (int32_t)sizeof(void *));
    set_constant(c, "PAGE_SIZE", "I", (int32_t)os_page_size());
    set_constant(c, "BIG_ENDIAN", "Z", order.bytes[0] == 0);
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    set_constant(c, "UNALIGNED_ACCESS", "Z", 1);
#endif
    set_constant(c, "DATA_CACHE_LINE_FLUSH_SIZE", "I", 0);
    return true;
}

void
unsafe_register(void)
{
    fault_init();
    intrinsics_register("jdk/internal/misc/Unsafe", rows);
}
