/* SPDX-License-Identifier: MIT */
/* minivm/jdk/perf.c -- jdk.internal.perf.Perf, and the counters that other processes
 * read (jvmstat).
 *
 * jps, jstat and jcmd learn what a running VM does without talking to it: each VM keeps
 * its counters in a file, /tmp/hsperfdata_USER/PID, which it maps as shared memory, and
 * the tools map the same file. jps lists the files.  The file is deleted when the VM
 * ends, and is readable for its user only.
 *
 * Its format is the JDK's, version 2.0: a header, then entries one behind the other.
 * An entry is a fixed part, the counter's name, and its value at an offset that is a
 * multiple of 8, which is a long, or a vector of bytes that is a text.  Entries are
 * only ever added; a reader takes as many as the header counts, so that an entry is
 * counted last, once it is whole.  A counter's value is changed in place, by an atomic
 * store.
 *
 * Java code adds counters by Perf.createLong and createByteArray, and gets a direct
 * buffer over the value.  Without a file, with -XX:-UsePerfData or a directory that is
 * not ours alone, the same memory is private, and when it is full a counter has memory
 * of its own that no tool sees. */

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
#include "runtime/above.h"

/* ---- the memory ---- */

/* The bytes of the file, which HotSpot's has by default, too. */
enum { PERF_SIZE = 32768 };

/* The file begins with this. */
struct perf_header {
    uint32_t magic;     /* the bytes ca fe c0 c0 in this order */
    uint8_t byte_order; /* 1: little endian */
    uint8_t major, minor, accessible;
    int32_t used, overflow;
    int64_t modified; /* nanoseconds from the start of the VM */
    int32_t entry_offset, entry_count;
};

/* Each entry begins with this; the offsets are from its own beginning. */
struct perf_entry {
    int32_t length, name_offset, vector_length;
    uint8_t type, flags, units, variability; /* type: 'J', or 'B' in a vector */
    int32_t data_offset;
};

/* The memory is the process's, as its file's name is; hence a global variable. */
static struct {
    pthread_mutex_t mutex;
    struct perf_header *memory; /* PERF_SIZE bytes, or NULL */
    char *path;                 /* of the file behind it, or NULL */
    pid_t owner;                /* the process that made the file; not a forked child */
} perf = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/*
 * Adds an entry with length bytes of data, under that name, and returns the data's
 * address; NULL when the memory is full or missing.  vector_length is 0 for a long.
 * The header counts what did not fit, so that tools can tell.  type is the descriptor
 * character of the values, J or B; units and variability are numbers of the format.
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
        struct perf_entry entry = { .length = size,
                                    .name_offset = sizeof entry,
                                    .vector_length = vector_length,
                                    .type = (uint8_t)type,
                                    .flags = 1,
                                    .units = (uint8_t)units,
                                    .variability = (uint8_t)variability,
                                    .data_offset = data_offset };
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

/* Units and variability of counters, as Perf and the tools number them. */
enum { UNITS_NONE = 1, UNITS_STRING = 5 };
enum { PERF_CONSTANT = 1, PERF_VARIABLE = 3 };

/* Adds a text that does not change. */
static void
add_string(const char *name, const char *value)
{
    int32_t length = (int32_t)strlen(value) + 1;

    add_entry(name, 'B', length, UNITS_STRING, PERF_CONSTANT, value, length);
}

/* Adds a number; returns where it is, or NULL. */
static int64_t *
add_long(const char *name, int variability, int64_t value)
{
    return add_entry(name, 'J', 0, UNITS_NONE, variability, &value, sizeof value);
}

/* ---- the file ---- */

/*
 * Makes the directory if it is not there.  Returns true if it is ours and nobody else
 * can write to it: another user could put links there else.
 */
static bool
make_directory(const char *path)
{
    struct stat status;

    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return false;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode)
           && status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * Returns the file's path (mem_free), its directory made; NULL if that cannot be used.
 */
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

/* Makes the file and returns its memory; NULL when that fails, and no file is left. */
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

/*
 * Runs when the process ends.  A forked child, which has the same path, leaves the file
 * alone.
 */
static void
remove_file(void)
{
    if (perf.path && perf.owner == getpid())
        unlink(perf.path);
}

/* Adds what does not change: how the VM was started and what it can do. */
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
    /* A text of 64 digits, of which the first says that tools can attach. */
    snprintf(capabilities, sizeof capabilities, "%d%063d", !o->disable_attach, 0);
    add_string("sun.rt.jvmCapabilities", capabilities);
    add_string("sun.rt.jvmVersion", minivm_version);
    add_long("sun.os.hrt.frequency", PERF_CONSTANT, 1000000000);
    add_long("sun.rt.createVmBeginTime", PERF_CONSTANT, (int64_t)vm->start_wall_millis);
}

/* ---- the counters that jstat shows ----
 *
 * Their names are those of a heap with a young generation (0) and an old one (1), since
 * the tools know no other; this heap is all in the old one.  They are updated after
 * each collection.  jstat prints a dash for what is not in the table. */

static const struct {
    const char *name;
    enum {
        ZERO,
        COLLECTIONS,
        NANOS,
        USED,
        CAPACITY,
        MAXIMUM,
        INITIAL,
        LOADED,
        UNLOADED
    } value;
} counters[] = { { "java.cls.loadedClasses", LOADED },
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
                 { "sun.gc.generation.1.space.0.used", USED } };

enum { COUNTERS = sizeof counters / sizeof *counters };

static int64_t *counter_values[COUNTERS]; /* where each is; NULL: it did not fit */

/*
 * The hook after each collection (vm->after_collection).  The world is stopped, except
 * that perf_init calls it once at the start.
 */
static void
update_counters(struct vm *vm)
{
    struct heap_usage usage = heap_get_usage(the_vm->heap);
    const uint64_t values[] = { [ZERO] = 0,
                                [COLLECTIONS] = usage.collections,
                                [NANOS] = usage.nanoseconds,
                                [USED] = usage.used,
                                [CAPACITY] = usage.committed,
                                [MAXIMUM] = usage.maximum,
                                [INITIAL] = usage.initial,
                                [LOADED] = vm->classes_loaded,
                                [UNLOADED] = vm->classes_unloaded };

    for (int i = 0; i < COUNTERS; i++)
        if (counter_values[i])
            __atomic_store_n(counter_values[i], (int64_t)values[counters[i].value],
                             __ATOMIC_RELAXED);
}

/*
 * Makes the memory of the counters and adds the VM's own.  If no file can be made, the
 * memory is private, so that Java code's counters work.  accessible is set last: tools
 * leave the file alone until then.
 */
void
perf_init(struct vm *vm)
{
    struct perf_header first = { .magic = 0xc0c0feca,
                                 .byte_order = 1,
                                 .major = 2,
                                 .used = sizeof first,
                                 .entry_offset = sizeof first };
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
        counter_values[i] = add_long(counters[i].name, PERF_VARIABLE, 0);
    vm->after_collection = update_counters;
    update_counters(vm);
    perf.memory->accessible = 1;
}

/* ---- Perf's natives ---- */

/*
 * Returns to Java a direct ByteBuffer over memory, which is never freed.  False with an
 * exception pending.  args[0] becomes the buffer.
 */
static bool
return_buffer(struct thread *self, union slot *args, void *memory, int32_t length)
{
    /* The capacity is an int, or as of JDK 21 a long (jni/buffer.c). */
    union slot init[5] = {
        [1] = { .j = (int64_t)(uintptr_t)memory }, [3] = { .j = length }
    };
    HANDLE_SCOPE(self);

    init[0].ref = java_new(self, known_class(self, KNOWN_CLASS_DirectByteBuffer));
    if (!init[0].ref
        || !java_call(self, KM(self->vm, DirectByteBuffer_init), init, NULL))
        return false;
    args[0].ref = init[0].ref;
    return true;
}

/*
 * Adds a counter for Java code, whose arguments are the name, its variability and
 * units, and returns its buffer.  False with an exception pending.  In args, args[1] is
 * the name, args[2] the variability and args[3] the units; type, vector_length and data
 * are as for add_entry.
 */
static bool
create_counter(struct thread *self, union slot *args, char type, int32_t vector_length,
               const void *data, int32_t length)
{
    TEXTS(t);
    void *at = add_entry(own(&t, string_to_utf8(args[1].ref)), type, vector_length,
                         args[3].i, args[2].i, data, length);

    if (!at && (at = mem_try_alloc((size_t)length)))
        memcpy(at, data, (size_t)length);
    if (!at)
        return throw_out_of_memory(self, "performance counter");
    return return_buffer(self, args, at, length);
}

/* createLong(String name, int variability, int units, long value) */
static bool
perf_createLong(struct thread *self, union slot *args)
{
    int64_t value = args[4].j;

    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    return create_counter(self, args, 'J', 0, &value, sizeof value);
}

/*
 * createByteArray(String name, int variability, int units, byte[] value, int maximum):
 * a text, with room for maximum bytes if it may change.
 */
static bool
perf_createByteArray(struct thread *self, union slot *args)
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
    return create_counter(self, args, 'B', maximum + 1, bytes, maximum + 1);
}

/*
 * Returns the memory of process pid, mapped to be read, and its length; MAP_FAILED when
 * it cannot be had.  user is the name of the process's user, or "*" for any.  It stays
 * mapped until perf_detach.  A file that is too short to have a header, or is a link,
 * is passed by.
 */
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

/* Returns a buffer over the counters of a process, this one for pid 0; user is the name
   of the process's user, or NULL for anybody.  False with an exception pending. */
static bool
attach(struct thread *self, union slot *args, const char *user, int pid)
{
    int32_t length = PERF_SIZE;
    void *at = perf.memory;

    if (pid != 0 && pid != (int)getpid())
        at = map_process(user ? user : "*", pid, &length);
    if (!at || at == MAP_FAILED)
        return THROW(self, IllegalArgumentException, "Could not map vmid to user name");
    return return_buffer(self, args, at, length);
}

/* attach(String user, int pid, int mode): mode is always read-only. */
static bool
perf_attach(struct thread *self, union slot *args)
{
    TEXTS(t);

    return attach(self, args, args[1].ref ? own(&t, string_to_utf8(args[1].ref)) : NULL,
                  args[2].i);
}

/* attach0(int pid), as of JDK 21. */
static bool
perf_attach0(struct thread *self, union slot *args)
{
    return attach(self, args, NULL, args[1].i);
}

/* detach(ByteBuffer): ends the use of what perf_attach returned. */
static bool
perf_detach(struct thread *self, union slot *args)
{
    const struct vm *vm = self->vm;

    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    void *at = (void *)(uintptr_t)LONG_FIELD(vm, args[1].ref, Buffer_address);
    if (at != perf.memory)
        munmap(at, (size_t)INT_FIELD(vm, args[1].ref, Buffer_capacity));
    return true;
}

/* The nanoseconds since the VM has started. */
static bool
perf_highResCounter(struct thread *self, union slot *args)
{
    args[0].j = os_nanos() - (int64_t)self->vm->start_nanos;
    return true;
}

/* The ticks of highResCounter in a second. */
static bool
perf_highResFrequency(struct thread *self UNUSED, union slot *args)
{
    args[0].j = 1000000000;
    return true;
}

#define BUFFER "Ljava/nio/ByteBuffer;"

const struct intrinsic perf_natives[] = {
    INTRINSICS_OF("jdk/internal/perf/Perf"),
    C_BODY("registerNatives", "()V", native_nothing),
    C_BODY_IN(0, 17, "attach", "(Ljava/lang/String;II)" BUFFER, perf_attach),
    C_BODY_IN(21, 0, "attach0", "(I)" BUFFER, perf_attach0),
    C_BODY("detach", "(" BUFFER ")V", perf_detach),
    C_BODY("createLong", "(Ljava/lang/String;IIJ)" BUFFER, perf_createLong),
    C_BODY("createByteArray", "(Ljava/lang/String;II[BI)" BUFFER, perf_createByteArray),
    C_BODY("highResCounter", "()J", perf_highResCounter),
    C_BODY("highResFrequency", "()J", perf_highResFrequency),
    C_BODIES_END
};
