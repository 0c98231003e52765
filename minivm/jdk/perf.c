/* SPDX-License-Identifier: MIT */
/* minivm/jdk/perf.c -- jdk.internal.perf.Perf and the counters that jps and its kin
 * read out of /tmp/hsperfdata_USER/PID (format 2.0). */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "interp/interp.h"
#include "jdk/jdk.h"
#include "jdk/perf.h"
#include "jdk/properties.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

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
    char *memory;                  /* PERF_SIZE bytes, or NULL */
    char *path;                    /* of the file behind it, or NULL */
    pid_t owner;                   /* a forked child leaves the file alone */
} perf = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static struct perf_header *
header(void)
{
    return (struct perf_header *)(void *)perf.memory;
}

/*
 * Room for length bytes of data under that name; NULL when the memory is full (the
 * caller's counter lives elsewhere then).  The entry is counted once it is whole.
 */
static void *
add_entry(const char *name, char type, int32_t vector_length, int units, int variability,
          const void *data, int32_t length)
{
    int32_t name_size = (int32_t)strlen(name) + 1;
    int32_t data_offset = ((int32_t)sizeof(struct perf_entry) + name_size + 7) & ~7;
    int32_t size = (data_offset + length + 7) & ~7;
    void *result = NULL;

    pthread_mutex_lock(&perf.mutex);
    if (perf.memory && header()->used + size <= PERF_SIZE) {
        char *at = perf.memory + header()->used;
        struct perf_entry entry = {
            .length = size, .name_offset = sizeof entry, .vector_length = vector_length,
            .type = (uint8_t)type, .flags = 1, .units = (uint8_t)units,
            .variability = (uint8_t)variability, .data_offset = data_offset
        };
        memcpy(at, &entry, sizeof entry);
        memcpy(at + sizeof entry, name, (size_t)name_size);
        memcpy(at + data_offset, data, (size_t)length);
        result = at + data_offset;
        header()->used += size;
        header()->modified = os_nanos() - (int64_t)the_vm->start_nanos;
        __atomic_add_fetch(&header()->entry_count, 1, __ATOMIC_RELEASE);
    } else if (perf.memory) {
        header()->overflow += size;
    }
    pthread_mutex_unlock(&perf.mutex);
    return result;
}

enum { UNITS_NONE = 1, UNITS_STRING = 5 };
enum { PERF_CONSTANT = 1, PERF_VARIABLE = 3 };

void
perf_add_string(const char *name, const char *value)
{
    int32_t length = (int32_t)strlen(value) + 1;

    add_entry(name, 'B', length, UNITS_STRING, PERF_CONSTANT, value, length);
}

void
perf_add_long(const char *name, int64_t value)
{
    add_entry(name, 'J', 0, UNITS_NONE, PERF_CONSTANT, &value, sizeof value);
}

int64_t *
perf_add_variable(const char *name)
{
    int64_t zero = 0;

    return add_entry(name, 'J', 0, UNITS_NONE, PERF_VARIABLE, &zero, sizeof zero);
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
    char *directory, *path = NULL;

    if (!user)
        return NULL;
    directory = mem_printf("/tmp/hsperfdata_%s", user->pw_name);
    if (make_directory(directory))
        path = mem_printf("%s/%d", directory, (int)getpid());
    mem_free(directory);
    return path;
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

static void
add_vm_counters(const struct vm *vm)
{
    const struct vm_options *o = &vm->options;
    const char *command = property_value(vm, "sun.java.command");
    char *args = mem_strdup("");

    for (size_t i = 0; i < o->vm_arg_count; i++) {
        char *longer = mem_printf("%s%s%s", args, i ? " " : "", o->vm_args[i]);
        mem_free(args);
        args = longer;
    }
    perf_add_string("sun.rt.javaCommand", command ? command : "");
    perf_add_string("java.rt.vmArgs", args);
    perf_add_string("java.rt.vmFlags", "");
    /* 64 of them; the first one: tools can attach. */
    char capabilities[65];
    memset(capabilities, '0', 64);
    capabilities[0] = o->disable_attach ? '0' : '1';
    capabilities[64] = '\0';
    perf_add_string("sun.rt.jvmCapabilities", capabilities);
    perf_add_string("sun.rt.jvmVersion", minivm_version);
    perf_add_string("java.property.java.vm.name", property_value(vm, "java.vm.name"));
    perf_add_string("java.property.java.vm.vendor", property_value(vm, "java.vm.vendor"));
    perf_add_string("java.property.java.vm.version",
                    property_value(vm, "java.vm.version"));
    perf_add_string("java.property.java.vm.info", property_value(vm, "java.vm.info"));
    perf_add_string("java.property.java.home", property_value(vm, "java.home"));
    perf_add_string("java.property.java.library.path",
                    property_value(vm, "java.library.path"));
    perf_add_string("java.property.java.class.path",
                    property_value(vm, "java.class.path"));
    perf_add_long("sun.os.hrt.frequency", 1000000000);
    perf_add_long("sun.rt.createVmBeginTime", (int64_t)vm->start_wall_millis);
    mem_free(args);
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
    memcpy(perf.memory, &first, sizeof first);
    if (!is_registered)
        atexit(remove_file);
    is_registered = true;
    add_vm_counters(vm);
    perf_counters_init(vm);
    header()->accessible = 1;
}

/* ---- Perf's natives ---- */

/* A direct ByteBuffer over memory that lives on. */
static struct object *
new_buffer(struct thread *self, void *memory, int32_t length)
{
    struct class *c = known_class(self, KNOWN_CLASS_DirectByteBuffer);
    struct method *init =
        c ? class_own_method(c, symbol_of("<init>"), symbol_of("(JI)V")) : NULL;
    union slot args[4];
    SCOPE(self);

    if (!init || !class_initialize(self, c))
        return NULL;
    args[0].ref = keep(self, object_new(self, c));
    args[1].j = (int64_t)(uintptr_t)memory;
    args[3].i = length;
    if (!args[0].ref || !java_call(self, init, args, NULL))
        return NULL;
    return args[0].ref;
}

static bool
create(struct thread *self, union slot *args, char type, int32_t vector_length,
       const void *data, int32_t length)
{
    char *name = string_to_utf8(args[1].ref);
    void *at = add_entry(name, type, vector_length, args[3].i, args[2].i, data, length);

    mem_free(name);
    if (!at && (at = mem_try_alloc((size_t)length)))
        memcpy(at, data, (size_t)length);
    if (!at) {
        throw_out_of_memory(self, "performance counter");
        return false;
    }
    args[0].ref = new_buffer(self, at, length);
    return args[0].ref != NULL;
}

/* createLong(String name, int variability, int units, long value) */
static bool
create_long(struct thread *self, union slot *args)
{
    int64_t value = args[4].j;

    if (!args[1].ref) {
        throw_null_pointer(self);
        return false;
    }
    return create(self, args, 'J', 0, &value, sizeof value);
}

/* createByteArray(String name, int variability, int units, byte[] value, int max) */
static bool
create_bytes(struct thread *self, union slot *args)
{
    struct object *value = args[4].ref;
    int32_t maximum = args[5].i;

    if (!args[1].ref || !value) {
        throw_null_pointer(self);
        return false;
    }
    if (args[3].i != UNITS_STRING
        || (args[2].i != PERF_CONSTANT && args[2].i != PERF_VARIABLE)) {
        THROW(self, IllegalArgumentException, "%s",
              args[3].i != UNITS_STRING ? "unexpected units" : "unexpected variability");
        return false;
    }
    if (args[2].i == PERF_CONSTANT || maximum < array_length(value))
        maximum = array_length(value);
    char *bytes = mem_calloc((size_t)maximum + 1, 1);
    memcpy(bytes, ARRAY_BYTES(value), (size_t)array_length(value));
    bool done = create(self, args, 'B', maximum + 1, bytes, maximum + 1);
    mem_free(bytes);
    return done;
}

/* The counters of process pid, of any user unless one is given; MAP_FAILED when they
   cannot be had. */
static void *
map_process(const char *user, int pid, int32_t *length)
{
    DIR *tmp = opendir("/tmp");
    const struct dirent *e;
    void *at = MAP_FAILED;

    while (tmp && at == MAP_FAILED && (e = readdir(tmp))) {
        struct stat status;
        char *path;
        int fd;
        if (strncmp(e->d_name, "hsperfdata_", 11)
            || (user && strcmp(e->d_name + 11, user)))
            continue;
        path = mem_printf("/tmp/%s/%d", e->d_name, pid);
        fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        mem_free(path);
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
    if (tmp)
        closedir(tmp);
    return at;
}

/* attach(String user, int pid, int mode); mode is always read-only. */
static bool
attach(struct thread *self, union slot *args)
{
    int pid = args[2].i;
    int32_t length = PERF_SIZE;
    void *at = perf.memory;

    if (pid != 0 && pid != (int)getpid()) {
        char *user = args[1].ref ? string_to_utf8(args[1].ref) : NULL;
        at = map_process(user, pid, &length);
        mem_free(user);
    }
    if (!at || at == MAP_FAILED) {
        THROW(self, IllegalArgumentException, "Could not map vmid to user name");
        return false;
    }
    args[0].ref = new_buffer(self, at, length);
    return args[0].ref != NULL;
}

static bool
detach(struct thread *self, union slot *args)
{
    const struct vm *vm = self->vm;
    void *at;

    if (!args[1].ref) {
        throw_null_pointer(self);
        return false;
    }
    at = (void *)(uintptr_t)OBJECT_FIELD(int64_t, args[1].ref, KF(vm, Buffer_address));
    if (at != perf.memory)
        munmap(at, (size_t)OBJECT_FIELD(int32_t, args[1].ref, KF(vm, Buffer_capacity)));
    return true;
}

static bool
counter(struct thread *self, union slot *args)
{
    args[0].j = os_nanos() - (int64_t)self->vm->start_nanos;
    return true;
}

static bool
frequency(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = 1000000000;
    return true;
}

static bool
nothing(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

#define BUFFER "Ljava/nio/ByteBuffer;"

static const struct intrinsic rows[] = {
    { "registerNatives", "()V", nothing },
    { "attach", "(Ljava/lang/String;II)" BUFFER, attach },
    { "detach", "(" BUFFER ")V", detach },
    { "createLong", "(Ljava/lang/String;IIJ)" BUFFER, create_long },
    { "createByteArray", "(Ljava/lang/String;II[BI)" BUFFER, create_bytes },
    { "highResCounter", "()J", counter },
    { "highResFrequency", "()J", frequency },
    { NULL, NULL, NULL }
};

void
perf_register(void)
{
    intrinsics_register("jdk/internal/perf/Perf", rows);
}
