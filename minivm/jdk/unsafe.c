/* SPDX-License-Identifier: MIT */
/* minivm/jdk/unsafe.c -- the natives of jdk.internal.misc.Unsafe besides the accesses
 * to one variable, which are in unsafe_access.c: blocks of memory, layout of classes,
 * classes and objects, threads; and jdk.internal.misc.UnsafeConstants.
 *
 * args[0] is the Unsafe object, which no native needs; a long takes two slots.  What
 * Unsafe's Java methods check before they call a native whose name ends in a digit
 * (nulls, sizes, ranges) is not checked again, but for the region of defineClass0: its
 * Java method looks at the signs of offset and length only. */

#include "diagnostics/fault.h"
#include "jdk/jdk.h"

#include <stdlib.h>
#include <string.h>

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "linking/loader.h"
#include "runtime/boxing.h"
#include "runtime/reflect.h"
#include "runtime/vm.h"
#include "threads/park.h"

/* ---- fences ---- */

static bool
unsafe_loadFence(struct thread *self UNUSED, union slot *args UNUSED)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return true;
}

static bool
unsafe_storeFence(struct thread *self UNUSED, union slot *args UNUSED)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return true;
}

static bool
unsafe_fullFence(struct thread *self UNUSED, union slot *args UNUSED)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return true;
}

/* ---- memory ---- */

/* Returns the address p to Java; false with OutOfMemoryError pending if p is NULL. */
static bool
return_address(struct thread *self, union slot *args, void *p)
{
    args[0].j = (int64_t)(uintptr_t)p;
    return p || throw_out_of_memory(self, "Unsafe memory");
}

/* allocateMemory0(long bytes) */
static bool
unsafe_allocateMemory0(struct thread *self, union slot *args)
{
    return return_address(self, args, mem_try_alloc((size_t)args[1].j));
}

/* reallocateMemory0(long address, long bytes) */
static bool
unsafe_reallocateMemory0(struct thread *self, union slot *args)
{
    void *old = (void *)(uintptr_t)args[1].j;

    return return_address(self, args, mem_try_realloc(old, (size_t)args[3].j));
}

static bool
unsafe_freeMemory0(struct thread *self UNUSED, union slot *args)
{
    mem_free((void *)(uintptr_t)args[1].j);
    return true;
}

/*
 * Returns the address of the block that an object, or NULL, in args[i] and an offset in
 * the slots behind it name.
 */
static char *
block_address(const union slot *args, int i)
{
    return (char *)(uintptr_t)args[i].ref + args[i + 1].j;
}

/*
 * The body of unsafe_setMemory0, with the same arguments: the block in args[1] and
 * args[2], its bytes in args[4], the value in args[6].
 */
static bool
set_memory(struct thread *self UNUSED, union slot *args)
{
    memset(block_address(args, 1), args[6].i, (size_t)args[4].j);
    return true;
}

/*
 * setMemory0(Object o, long offset, long bytes, byte value) An access within an object
 * cannot fault, one at an address can, which unsafe_guard turns into InternalError.
 */
static bool
unsafe_setMemory0(struct thread *self, union slot *args)
{
    return args[1].ref ? set_memory(self, args) : unsafe_guard(self, args, set_memory);
}

/*
 * The body of unsafe_copyMemory0, with the same arguments: from where in args[1] and
 * args[2], to where in args[4] and args[5], the bytes in args[7].  The blocks may
 * overlap.
 */
static bool
copy_memory(struct thread *self UNUSED, union slot *args)
{
    shared_move(block_address(args, 4), block_address(args, 1), (size_t)args[7].j);
    return true;
}

/* copyMemory0(Object from, long fromOffset, Object to, long toOffset, long bytes) */
static bool
unsafe_copyMemory0(struct thread *self, union slot *args)
{
    return args[1].ref && args[4].ref ? copy_memory(self, args)
                                      : unsafe_guard(self, args, copy_memory);
}

/*
 * The body of unsafe_copySwapMemory0; args[9] is the size of an element.  The bytes are
 * reversed in the copy, element by element.
 */
static bool
copy_swap_memory(struct thread *self, union slot *args)
{
    char *to = block_address(args, 4), *end = to + args[7].j;
    size_t size = (size_t)args[9].j;

    copy_memory(self, args);
    for (; to < end; to += size)
        for (size_t i = 0; i < size / 2; i++) {
            char byte = to[i];
            to[i] = to[size - 1 - i];
            to[size - 1 - i] = byte;
        }
    return true;
}

/*
 * copySwapMemory0(Object from, long fromOffset, Object to, long toOffset, long bytes,
 * long elementSize): copies, and reverses the bytes of each element.
 */
static bool
unsafe_copySwapMemory0(struct thread *self, union slot *args)
{
    return args[1].ref && args[4].ref ? copy_swap_memory(self, args)
                                      : unsafe_guard(self, args, copy_swap_memory);
}

/* ---- layout ---- */

/* objectFieldOffset0(Field) */
static bool
unsafe_objectFieldOffset0(struct thread *self, union slot *args)
{
    args[0].j = reflected_field(self->vm, args[1].ref)->offset;
    return true;
}

/*
 * staticFieldOffset0(Field): the offset in the mirror, which staticFieldBase0 returns.
 */
static bool
unsafe_staticFieldOffset0(struct thread *self, union slot *args)
{
    return unsafe_objectFieldOffset0(self, args);
}

/*
 * staticFieldBase0(Field): the object that has the class's static fields, its mirror.
 */
static bool
unsafe_staticFieldBase0(struct thread *self, union slot *args)
{
    args[0].ref = reflected_field(self->vm, args[1].ref)->class->layout.mirror;
    return true;
}

/*
 * objectFieldOffset1(Class c, String name): of a field that c itself declares;
 * InternalError when it declares none.
 */
static bool
unsafe_objectFieldOffset1(struct thread *self, union slot *args)
{
    const struct class *c = class_of_mirror(args[1].ref);
    const struct symbol *name = string_to_symbol(args[2].ref, KEEP_DOTS);
    uint32_t i = 0;

    while (i < c->field_count && c->fields[i].name != name)
        i++;
    if (i == c->field_count)
        return THROW0(self, InternalError);
    args[0].j = c->fields[i].offset;
    return true;
}

/* Returns the offset of the first element. */
static bool
unsafe_arrayBaseOffset0(struct thread *self UNUSED, union slot *args)
{
    args[0].i = ARRAY_BASE;
    return true;
}

/* Returns the bytes of an element. */
static bool
unsafe_arrayIndexScale0(struct thread *self UNUSED, union slot *args)
{
    args[0].i = 1 << class_of_mirror(args[1].ref)->layout.element_shift;
    return true;
}

/* ---- classes and objects ---- */

static bool
unsafe_shouldBeInitialized0(struct thread *self UNUSED, union slot *args)
{
    args[0].i = !class_is_initialized(class_of_mirror(args[1].ref));
    return true;
}

static bool
unsafe_ensureClassInitialized0(struct thread *self, union slot *args)
{
    return class_initialize(self, class_of_mirror(args[1].ref));
}

/*
 * Allocates an object of a class, which it initializes, without running a constructor.
 */
static bool
unsafe_allocateInstance(struct thread *self, union slot *args)
{
    struct class *c = class_of_mirror(args[1].ref);

    if (!class_may_have_instances(self, c, THROW_EXCEPTION))
        return false;
    HANDLE_SCOPE(self);
    if (!class_initialize(self, c))
        return false;
    args[0].ref = object_made_by_vm(self, object_new(self, c));
    return args[0].ref != NULL;
}

/*
 * Throws the argument, even if it is a checked exception that no method on the stack
 * declares.
 */
static bool
unsafe_throwException(struct thread *self, union slot *args)
{
    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    throw_object(self, args[1].ref);
    return false;
}

/*
 * defineClass0(String name, byte[] bytes, int offset, int length, ClassLoader loader,
 * ProtectionDomain domain): defines a class.  The name is in Java's form, with dots,
 * and may be null.  A name that is too long for a symbol throws NoClassDefFoundError.
 */
static bool
unsafe_defineClass0(struct thread *self, union slot *args)
{
    struct object *bytes = args[2].ref;
    struct class_definition d = { .protection_domain = args[6].ref };
    TEXTS(t);

    if (!jni_region_fits(self, bytes, args[3].i, args[4].i))
        return false;
    if (args[1].ref && !(d.name = string_to_symbol(args[1].ref, DOTS_TO_SLASHES)))
        return class_symbol(self, own(&t, string_to_modified(args[1].ref)),
                            KNOWN_CLASS_NoClassDefFoundError);
    /* Another thread may change the array while the copy is parsed. */
    uint8_t *copy = mem_alloc((size_t)args[4].i);
    memcpy(copy, ARRAY_BYTES(bytes) + args[3].i, (size_t)args[4].i);
    d.bytes = copy;
    d.length = (size_t)args[4].i;
    struct class *c = class_define(self, loader_of(self->vm, args[5].ref), &d);
    mem_free(copy);
    args[0].ref = c ? c->layout.mirror : NULL;
    return c != NULL;
}

/* ---- threads ---- */

/* park(boolean isAbsolute, long time): LockSupport.park. */
static bool
unsafe_park(struct thread *self, union slot *args)
{
    thread_park(self, args[1].i != 0, args[2].j);
    return !exception_pending(self);
}

/* LockSupport.unpark; a thread that does not live is left alone. */
static bool
unsafe_unpark(struct thread *self, union slot *args)
{
    PINNED(t, self, args[1].ref);

    if (t)
        thread_unpark(t);
    return true;
}

/*
 * getLoadAverage0(double[] averages, int count): returns how many it has stored, -1 for
 * none.
 */
static bool
unsafe_getLoadAverage0(struct thread *self UNUSED, union slot *args)
{
    args[0].i = getloadavg(ARRAY_DOUBLES(args[1].ref), args[2].i);
    return true;
}

#define O "Ljava/lang/Object;"

const struct intrinsic unsafe_natives[] = {
    INTRINSICS_OF("jdk/internal/misc/Unsafe"),
    C_BODY("registerNatives", "()V", native_nothing),
    C_BODY("loadFence", "()V", unsafe_loadFence),
    C_BODY("storeFence", "()V", unsafe_storeFence),
    C_BODY("fullFence", "()V", unsafe_fullFence),
    C_BODY("allocateMemory0", "(J)J", unsafe_allocateMemory0),
    C_BODY("reallocateMemory0", "(JJ)J", unsafe_reallocateMemory0),
    C_BODY("freeMemory0", "(J)V", unsafe_freeMemory0),
    C_BODY("setMemory0", "(" O "JJB)V", unsafe_setMemory0),
    C_BODY("copyMemory0", "(" O "J" O "JJ)V", unsafe_copyMemory0),
    C_BODY("copySwapMemory0", "(" O "J" O "JJJ)V", unsafe_copySwapMemory0),
    C_BODY("objectFieldOffset0", "(Ljava/lang/reflect/Field;)J",
           unsafe_objectFieldOffset0),
    C_BODY("objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J",
           unsafe_objectFieldOffset1),
    C_BODY("staticFieldOffset0", "(Ljava/lang/reflect/Field;)J",
           unsafe_staticFieldOffset0),
    C_BODY("staticFieldBase0", "(Ljava/lang/reflect/Field;)" O,
           unsafe_staticFieldBase0),
    C_BODY("shouldBeInitialized0", "(Ljava/lang/Class;)Z", unsafe_shouldBeInitialized0),
    C_BODY("ensureClassInitialized0", "(Ljava/lang/Class;)V",
           unsafe_ensureClassInitialized0),
    C_BODY("arrayBaseOffset0", "(Ljava/lang/Class;)I", unsafe_arrayBaseOffset0),
    C_BODY("arrayIndexScale0", "(Ljava/lang/Class;)I", unsafe_arrayIndexScale0),
    C_BODY("allocateInstance", "(Ljava/lang/Class;)" O, unsafe_allocateInstance),
    C_BODY("throwException", "(Ljava/lang/Throwable;)V", unsafe_throwException),
    C_BODY("defineClass0",
           "(Ljava/lang/String;[BIILjava/lang/ClassLoader;"
           "Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
           unsafe_defineClass0),
    C_BODY("park", "(ZJ)V", unsafe_park),
    C_BODY("unpark", "(" O ")V", unsafe_unpark),
    C_BODY("getLoadAverage0", "([DI)I", unsafe_getLoadAverage0),
    C_BODIES_END
};

/* ---- jdk.internal.misc.UnsafeConstants ----
 *
 * The class declares constants whose values only the VM knows.  It stores them before
 * other code can read them. */

/*
 * Sets the static field name of c.  A release whose class has no such field is left
 * alone.
 */
static void
set_constant(struct class *c, const char *name, int32_t value)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (symbol_equals(c->fields[i].name, name))
            value_store(object_at(c->layout.mirror, c->fields[i].offset),
                        c->fields[i].type, (union slot){ .i = value });
}

/*
 * Stores what only the VM knows in jdk.internal.misc.UnsafeConstants, before Unsafe is
 * initialized and reads it.  UNALIGNED_ACCESS stays false where it is not set, and 0
 * says that there is no instruction to flush a cache line.
 */
bool
unsafe_set_constants(struct thread *self)
{
    struct class *c = class_load_boot(self, "jdk/internal/misc/UnsafeConstants");

    if (!c || !class_initialize(self, c))
        return false;
    set_constant(c, "ADDRESS_SIZE0", (int32_t)sizeof(void *));
    set_constant(c, "PAGE_SIZE", (int32_t)os_page_size());
    set_constant(c, "BIG_ENDIAN", __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    set_constant(c, "UNALIGNED_ACCESS", 1);
#endif
    set_constant(c, "DATA_CACHE_LINE_FLUSH_SIZE", 0);
    return true;
}
