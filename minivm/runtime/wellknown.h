/* SPDX-License-Identifier: MIT */
/* minivm/runtime/wellknown.h -- classes, fields and methods that the VM knows by name.
 *
 * minivm/jdk/known.def lists them, and the profile of a JDK release says what they are
 * called there.  vm->known has what was found: a class as soon as it is loaded, and the
 * offsets of its fields and its methods at the same time.  KC, KF and KM look there;
 * they are good for classes that are loaded when the VM starts.  known_class is for the
 * others:  it loads, so it stops and collects. */

#ifndef MINIVM_RUNTIME_WELLKNOWN_H
#define MINIVM_RUNTIME_WELLKNOWN_H

#include "base/hash.h"
#include "linking/class.h"

struct vm;

enum known_class {
#define CLASS_IN(since, until, id, path) KNOWN_CLASS_##id,
#include "jdk/known.def"
    KNOWN_CLASS_COUNT,
    KNOWN_CLASSES_AHEAD = KNOWN_CLASS_ClassFormatError
};

enum known_field {
#define FIELD_ID(id) KNOWN_FIELD_##id,
#include "jdk/known.def"
    KNOWN_FIELD_COUNT
};

enum known_method {
#define METHOD_ID(id) KNOWN_METHOD_##id,
#include "jdk/known.def"
    KNOWN_METHOD_COUNT
};

struct known {
    struct class *classes[KNOWN_CLASS_COUNT]; /* NULL: not loaded yet */
    uint32_t fields[KNOWN_FIELD_COUNT];       /* offsets in objects; 0: no such field */
    struct method *methods[KNOWN_METHOD_COUNT];
    /* The primitive classes, and the classes of arrays of them; the index is the
       character of the type in descriptors less 'A'. */
    struct class *primitives[26];
    struct class *primitive_arrays[26];
    struct class *object_array, *class_array;
    /* From the symbol of a class's name to its enum known_class + 1.  Constant. */
    struct ptrmap numbers;
};

/* A well-known field in a release; NULL name: it has none. */
struct profile_field {
    enum known_class owner;
    const char *name, *descriptor;
    /* The VM adds the field: a reference, or 8 bytes when the descriptor is J. */
    bool is_injected;
};

/* A well-known method in a release; NULL name: it has none. */
struct profile_method {
    enum known_class owner;
    const char *name, *descriptor;
};

/* A range of releases of the JDK, both ends included; until 0: no end. */
struct releases {
    int since, until;
};

/* Returns true if the release of that number is in the range. */
static inline bool
release_is_in(int feature, struct releases range)
{
    return feature >= range.since && (range.until == 0 || feature <= range.until);
}

/* Returns true if a release refuses names of classes that end with a slash in old class
   files, too. */
static inline bool
release_has_strict_names(int feature)
{
    return release_is_in(feature, (struct releases){ 21, 0 });
}

/* Returns true if a release's verifier accepts a StackMapTable that has no entries but
   more bytes. */
static inline bool
release_allows_long_empty_maps(int feature)
{
    return release_is_in(feature, (struct releases){ 25, 0 });
}

/* What differs between JDK releases; profile_of (jdk/profiles.c) makes that of the
   class library at hand. */
struct jdk_profile {
    int feature;         /* 17 */
    int max_class_major; /* 61: the newest version of class files */
    int jvmti_version;   /* the level that the release's agents expect */
    int jni_version;     /* JNI_VERSION_10 for 17 */
    int jmm_version;     /* of the management interface: JMM_VERSION_3 for 17 */
    /* A virtual thread may be unmounted while it owns a monitor, and is unmounted when it
       waits for one (JEP 491). */
    bool monitors_unmount;
    const char *class_names[KNOWN_CLASS_COUNT];
    struct profile_field fields[KNOWN_FIELD_COUNT];
    struct profile_method methods[KNOWN_METHOD_COUNT];
};

/* Well-known classes, offsets of fields, and methods, by their names in known.def. */
#define KC(vm, name) ((vm)->known.classes[KNOWN_CLASS_##name])
#define KF(vm, name) ((vm)->known.fields[KNOWN_FIELD_##name])
#define KM(vm, name) ((vm)->known.methods[KNOWN_METHOD_##name])

/* Well-known fields of o, to be read or assigned. */
#define REF_FIELD(vm, o, name) OBJECT_FIELD(struct object *, o, KF(vm, name))
#define INT_FIELD(vm, o, name) OBJECT_FIELD(int32_t, o, KF(vm, name))
#define LONG_FIELD(vm, o, name) OBJECT_FIELD(int64_t, o, KF(vm, name))

/* Returns the class, which is loaded if it is not yet; NULL with the exception
   pending. */
struct class *known_class(struct thread *self, enum known_class which);

/* Fills vm->known.numbers from the profile. */
void known_init(struct vm *vm);

/* Returns the enum known_class of the class of that name in loader l, or -1 if the VM
   knows none: only classes of the boot loader are well-known. */
int known_number(const struct vm *vm, const struct loader *l,
                 const struct symbol *name);

/* Enters c, which was loaded, its fields and its methods into vm->known if it is a
   well-known class.  The process ends when c lacks one that the profile names: then the
   class library is of another release. */
void known_resolve_class(struct vm *vm, struct class *c);

#endif
