/* SPDX-License-Identifier: MIT */
/* minivm/vm/wellknown.h -- classes, fields and methods that the VM knows by name.
 *
 * known.def lists them; the profile of a JDK release (minivm/jdk/profiles.c) says what
 * they are called there.  vm->known holds them resolved: classes as soon as loaded,
 * offsets and methods when their class is. */

#ifndef MINIVM_VM_WELLKNOWN_H
#define MINIVM_VM_WELLKNOWN_H

#include "vm/class.h"

struct vm;

enum known_class {
#define CLASS(id, path) KNOWN_CLASS_##id,
#include "vm/known.def"
    KNOWN_CLASS_COUNT,
    KNOWN_CLASSES_AHEAD = KNOWN_CLASS_ClassFormatError
};

enum known_field {
#define FIELD_THAT(class, field, type, injected) KNOWN_FIELD_##class##_##field,
#include "vm/known.def"
    KNOWN_FIELD_COUNT
};

enum known_method {
#define METHOD_AS(class, id, method, type) KNOWN_METHOD_##class##_##id,
#include "vm/known.def"
    KNOWN_METHOD_COUNT
};

struct known {
    struct class *classes[KNOWN_CLASS_COUNT];
    uint32_t fields[KNOWN_FIELD_COUNT];
    struct method *methods[KNOWN_METHOD_COUNT];
    /* primitive classes by descriptor character - 'A' */
    struct class *primitives[26];
    /* arrays of primitives by descriptor character - 'A' */
    struct class *primitive_arrays[26];
    struct class *object_array, *class_array;
};

/* A well-known field or method in a release; unused rows have a NULL name. */
struct profile_field {
    enum known_class owner;
    const char *name, *descriptor;
    bool is_injected;                  /* the VM adds it: a reference, or 8 bytes
                                          when the descriptor is J */
};
struct profile_method {
    enum known_class owner;
    const char *name, *descriptor;
};

/* What differs between JDK releases; one constant per release. */
struct jdk_profile {
    int feature;                       /* 17 */
    int max_class_major;               /* 61 */
    int jvmti_version;                 /* level that the release's agents expect */
    int jni_version;                   /* JNI_VERSION_10 for 17 */
    const char *const class_names[KNOWN_CLASS_COUNT];
    const struct profile_field fields[KNOWN_FIELD_COUNT];
    const struct profile_method methods[KNOWN_METHOD_COUNT];
};

#define KC(vm, name) ((vm)->known.classes[KNOWN_CLASS_##name])
#define KF(vm, name) ((vm)->known.fields[KNOWN_FIELD_##name])
#define KM(vm, name) ((vm)->known.methods[KNOWN_METHOD_##name])

/* The field of o, a place. */
#define REF_FIELD(vm, o, name) OBJECT_FIELD(struct object *, o, KF(vm, name))
#define INT_FIELD(vm, o, name) OBJECT_FIELD(int32_t, o, KF(vm, name))
#define LONG_FIELD(vm, o, name) OBJECT_FIELD(int64_t, o, KF(vm, name))

/* The class, loaded when it is not yet; NULL with the error pending. */
struct class *known_class(struct thread *self, enum known_class which);

/* Look up whatever of the lists became resolvable; class loaded or not.  Missing
   names that are not optional are fatal: the JDK does not fit its profile. */
void known_resolve_class(struct vm *vm, struct class *c);

#endif
