/* SPDX-License-Identifier: MIT */
/* minivm/jdk/perf.c -- jdk.internal.perf.Perf and the counters that jps and its kin
 * read out of /tmp/hsperfdata_USER/PID (format 2.0). */

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jdk/jvm.h"
#include "jdk/properties.h"

/* ---- the memory ---- */

enum { PERF_SIZE = 32768 };

/* The file begins with this. */
struct perf_header {
    uint32_t magic;                /* 0xcafec0c0, the bytes in that order */
    uint8_t byte_order;            /* 1: little */
    uint8_t major, minor, accessible;
    int32_t used, overflow;
    int64_t modified;              /* nanoseconds since the start */
    int32_t entry_offset, entry_count;
};

struct perf_entry {
    int32_t length, name_offset, vector_length;
    uint8_t type, flags, units, variability; /* type: 'J', or 'B' in a vector */
    int32_t data_offset;
};

static struct {
    pthread_mutex_t mutex;
    struct perf_header *memory;    /* PERF_SIZE bytes, or NULL */
    char *path;                    /* of the file behind it, or NULL */
    pid_t owner;                   /* a forked child leaves the file alone */
} perf = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/*
 * Room for length bytes of data under that name; NULL when the memory is full (the
 * caller's counter lives elsewhere then).  The entry is counted once it is whole.
 */
static void *
add_entry(const char *name, char type, int32_t vector_length, int units,
          int variability, const void *data, int32_t length)
{
    int32_t name_size = (int32_t)strlen(name) + 1;
    int32_t data_offset = ((int32_t)sizeof(struct perf_entry) + name_size + 7) & ~7;
    int32_t size = (data_offset + length + 7) & ~7;
    void *result = NULL;

    pthread_mutex_lock(&perf.mutex);
    if (perf.memory && perf.memory->used + size <= PERF_SIZE) {
        char *at = (char *)perf.memory + perf.memory->used;
        struct perf_entry entry = {
            .length = size, .name_offset = sizeof entry, .vector_length = vector_length,
            .type = (uint8_t)type, .flags = 1, .units = (uint8_t)units,
            .variability = (uint8_t)variability, .data_offset = data_offset
        };
        memcpy(at, &entry, sizeof entry);
        memcpy(at + sizeof entry, name, (size_t)name_size);
        memcpy(at + data_offset, data, (size_t)length);
        result = at + data_offset;
        perf.memory->used += size;
        perf.memory->modified = os_nanos() - (int64_t)the_vm->start_nanos;
        __atomic_add_fetch(&perf.memory->entry_count, 1, __ATOMIC_RELEASE);
    } else if (perf.memory) {
        perf.memory->overflow += size;
    }
    pthread_mutex_unlock(&perf.mutex);
    return result;
}

enum { UNITS_NONE = 1, UNITS_STRING = 5 };
enum { PERF_CONSTANT = 1, PERF_VARIABLE = 3 };

static void
add_string(const char *name, const char *value)
{
    int32_t length = (int32_t)strlen(value) + 1;

    add_entry(name, 'B', length, UNITS_STRING, PERF_CONSTANT, value, length);
}

static int64_t *
add_long(const char *name, int variability, int64_t value)
{
    return add_entry(name, 'J', 0, UNITS_NONE, variability, &value, sizeof value);
}

/* ---- the file ---- */

/* Only a directory that is ours alone to write is used. */
static bool
make_directory(const char *path)
{
    struct stat status;

    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return false;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode)
           && status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static char *
file_path(void)
{
    const struct passwd *user = getpwuid(geteuid());
    TEXTS(t);

    if (!user)
        return NULL;
    const char *directory = own(&t, mem_printf("/tmp/hsperfdata_%s", user->pw_name));
    return make_directory(directory) ? mem_printf("%s/%d", directory, (int)getpid())
                                     : NULL;
}

static void *
map_new_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_TRUNC | O_CLOEXEC, 0600);
    void *at = MAP_FAILED;

    if (fd < 0)
        return NULL;
    if (posix_fallocate(fd, 0, PERF_SIZE) == 0)
        at = mmap(NULL, PERF_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED) {
        unlink(path);
        return NULL;
    }
    return at;
}

static void
remove_file(void)
{
    if (perf.path && perf.owner == getpid())
        unlink(perf.path);
}

/* The strings that do not change. */
static void
add_vm_counters(const struct vm *vm)
{
    static const char *const properties[][2] = {
        { "sun.rt.javaCommand", "sun.java.command" },
        { "java.property.java.vm.name", "java.vm.name" },
        { "java.property.java.vm.vendor", "java.vm.vendor" },
        { "java.property.java.vm.version", "java.vm.version" },
        { "java.property.java.vm.info", "java.vm.info" },
        { "java.property.java.home", "java.home" },
        { "java.property.java.library.path", "java.library.path" },
        { "java.property.java.class.path", "java.class.path" }
    };
    const struct vm_options *o = &vm->options;
    char capabilities[65];
    TEXTS(t);

    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        const char *value = property_value(o, properties[i][1]);
        add_string(properties[i][0], value ? value : "");
    }
    add_string("java.rt.vmArgs", own(&t, vm_arguments(o)));
    add_string("java.rt.vmFlags", "");
    /* 64 of them; the first one: tools can attach. */
    snprintf(capabilities, sizeof capabilities, "%d%063d", !o->disable_attach, 0);
    add_string("sun.rt.jvmCapabilities", capabilities);
    add_string("sun.rt.jvmVersion", minivm_version);
    add_long("sun.os.hrt.frequency", PERF_CONSTANT, 1000000000);
    add_long("sun.rt.createVmBeginTime", PERF_CONSTANT,
             (int64_t)vm->start_wall_millis);
}

/* ---- the counters that jstat shows ----
 *
 * They have the names of a heap with a young and an old generation, since the tools
 * know no other; everything is old here.  They are brought up to date after each
 * collection; what this VM has not stays absent, and jstat prints a dash. */

static const struct {
    const char *name;
    enum {
        ZERO, COLLECTIONS, NANOS, USED, CAPACITY, MAXIMUM, INITIAL, LOADED, UNLOADED
    } value;
} counters[] = {
    { "java.cls.loadedClasses", LOADED },
    { "java.cls.sharedLoadedClasses", ZERO },
    { "java.cls.unloadedClasses", UNLOADED },
    { "java.cls.sharedUnloadedClasses", ZERO },
    { "sun.gc.collector.0.invocations", ZERO },
    { "sun.gc.collector.0.time", ZERO },
    { "sun.gc.collector.1.invocations", COLLECTIONS },
    { "sun.gc.collector.1.time", NANOS },
    { "sun.gc.generation.0.capacity", ZERO },
    { "sun.gc.generation.0.maxCapacity", ZERO },
    { "sun.gc.generation.0.minCapacity", ZERO },
    { "sun.gc.generation.0.space.0.capacity", ZERO },
    { "sun.gc.generation.0.space.0.used", ZERO },
    { "sun.gc.generation.0.space.1.capacity", ZERO },
    { "sun.gc.generation.0.space.1.used", ZERO },
    { "sun.gc.generation.0.space.2.capacity", ZERO },
    { "sun.gc.generation.0.space.2.used", ZERO },
    { "sun.gc.generation.1.capacity", CAPACITY },
    { "sun.gc.generation.1.maxCapacity", MAXIMUM },
    { "sun.gc.generation.1.minCapacity", INITIAL },
    { "sun.gc.generation.1.space.0.capacity", CAPACITY },
    { "sun.gc.generation.1.space.0.used", USED }
};

enum { COUNTERS = sizeof counters / sizeof *counters };

static int64_t *places[COUNTERS];  /* NULL: no room */

static void
update_counters(struct vm *vm)
{
    struct heap_usage usage = heap_get_usage(the_vm->heap);
    const uint64_t values[] = {
        [ZERO] = 0, [COLLECTIONS] = usage.collections, [NANOS] = usage.nanoseconds,
        [USED] = usage.used, [CAPACITY] = usage.committed, [MAXIMUM] = usage.maximum,
        [INITIAL] = usage.initial, [LOADED] = vm->classes_loaded,
        [UNLOADED] = vm->classes_unloaded
    };

    for (int i = 0; i < COUNTERS; i++)
        if (places[i])
            __atomic_store_n(places[i], (int64_t)values[counters[i].value],
                             __ATOMIC_RELAXED);
}

void
perf_init(struct vm *vm)
{
    struct perf_header first = {
        .magic = 0xc0c0feca, .byte_order = 1, .major = 2,
        .used = sizeof first, .entry_offset = sizeof first
    };
    static bool is_registered;

    perf.owner = getpid();
    perf.path = vm->options.perf_data ? file_path() : NULL;
    perf.memory = perf.path ? map_new_file(perf.path) : NULL;
    if (!perf.memory) {
        mem_free(perf.path);
        perf.path = NULL;
        perf.memory = mem_try_calloc(1, PERF_SIZE);
    }
    if (!perf.memory)
        return;
    *perf.memory = first;
    if (!is_registered)
        atexit(remove_file);
    is_registered = true;
    add_vm_counters(vm);
    for (int i = 0; i < COUNTERS; i++)
        places[i] = add_long(counters[i].name, PERF_VARIABLE, 0);
    vm->after_collection = update_counters;
    update_counters(vm);
    perf.memory->accessible = 1;
}

/* ---- Perf's natives ---- */

/* Answers a direct ByteBuffer over memory that lives on. */
static bool
answer_buffer(struct thread *self, union slot *args, void *memory, int32_t length)
{
    union slot init[4] = { [1] = { .j = (int64_t)(uintptr_t)memory },
                           [3] = { .i = length } };
    SCOPE(self);

    args[0].ref = java_construct(self, known_class(self, KNOWN_CLASS_DirectByteBuffer),
                                 "(JI)V", init);
    return args[0].ref != NULL;
}

static bool
create(struct thread *self, union slot *args, char type, int32_t vector_length,
       const void *data, int32_t length)
{
    TEXTS(t);
    void *at = add_entry(own(&t, string_to_utf8(args[1].ref)), type, vector_length,
                         args[3].i, args[2].i, data, length);

    if (!at && (at = mem_try_alloc((size_t)length)))
        memcpy(at, data, (size_t)length);
    if (!at)
        return throw_out_of_memory(self, "performance counter");
    return answer_buffer(self, args, at, length);
}

/* createLong(String name, int variability, int units, long value) */
NATIVE(create_long)
{
    int64_t value = args[4].j;

    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    return create(self, args, 'J', 0, &value, sizeof value);
}

/* createByteArray(String name, int variability, int units, byte[] value, int max) */
NATIVE(create_bytes)
{
    struct object *value = args[4].ref;
    int32_t maximum = args[5].i;

    if (!args[1].ref || !value)
        return THROW0(self, NullPointerException);
    if (args[3].i != UNITS_STRING)
        return THROW(self, IllegalArgumentException, "unexpected units");
    if (args[2].i != PERF_CONSTANT && args[2].i != PERF_VARIABLE)
        return THROW(self, IllegalArgumentException, "unexpected variability");
    if (args[2].i == PERF_CONSTANT || maximum < array_length(value))
        maximum = array_length(value);
    TEXTS(t);
    char *bytes = mem_calloc((size_t)maximum + 1, 1);
    own(&t, bytes);
    memcpy(bytes, ARRAY_BYTES(value), (size_t)array_length(value));
    return create(self, args, 'B', maximum + 1, bytes, maximum + 1);
}

/* The counters of process pid, of any user unless one is given; MAP_FAILED when they
   cannot be had. */
static void *
map_process(const char *user, int pid, int32_t *length)
{
    void *at = MAP_FAILED;
    glob_t files;
    TEXTS(t);

    if (glob(own(&t, mem_printf("/tmp/hsperfdata_%s/%d", user, pid)), 0, NULL, &files))
        return at;
    for (size_t i = 0; i < files.gl_pathc && at == MAP_FAILED; i++) {
        int fd = open(files.gl_pathv[i], O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        struct stat status;
        if (fd < 0)
            continue;
        if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)
            && status.st_size >= (off_t)sizeof(struct perf_header)
            && status.st_size <= INT32_MAX) {
            *length = (int32_t)status.st_size;
            at = mmap(NULL, (size_t)*length, PROT_READ, MAP_SHARED, fd, 0);
        }
        close(fd);
    }
    globfree(&files);
    return at;
}

/* attach(String user, int pid, int mode); mode is always read-only. */
NATIVE(attach)
{
    int pid = args[2].i;
    int32_t length = PERF_SIZE;
    void *at = perf.memory;
    TEXTS(t);

    if (pid != 0 && pid != (int)getpid())
        at = map_process(args[1].ref ? own(&t, string_to_utf8(args[1].ref)) : "*", pid,
                         &length);
    if (!at || at == MAP_FAILED)
        return THROW(self, IllegalArgumentException, "Could not map vmid to user name");
    return answer_buffer(self, args, at, length);
}

NATIVE(detach)
{
    const struct vm *vm = self->vm;

    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    void *at = (void *)(uintptr_t)LONG_FIELD(vm, args[1].ref, Buffer_address);
    if (at != perf.memory)
        munmap(at, (size_t)INT_FIELD(vm, args[1].ref, Buffer_capacity));
    return true;
}

INTRINSIC(counter, j, os_nanos() - (int64_t)self->vm->start_nanos)
INTRINSIC(frequency, j, 1000000000)

#define BUFFER "Ljava/nio/ByteBuffer;"

const struct intrinsic perf_natives[] = {
    INTRINSICS_OF("jdk/internal/perf/Perf"),
    { "registerNatives", "()V", native_nothing },
    { "attach", "(Ljava/lang/String;II)" BUFFER, attach },
    { "detach", "(" BUFFER ")V", detach },
    { "createLong", "(Ljava/lang/String;IIJ)" BUFFER, create_long },
    { "createByteArray", "(Ljava/lang/String;II[BI)" BUFFER, create_bytes },
    { "highResCounter", "()J", counter },
    { "highResFrequency", "()J", frequency },
    { NULL, NULL, NULL }
};
