/* SPDX-License-Identifier: MIT */
/* minivm/jdk/profiles.c -- the profile of each release of the class library, and its
 * choice.
 *
 * A profile (struct jdk_profile, runtime/wellknown.h) is all that the VM knows of one
 * release: its number, the newest class file that it has, the level of JVM TI and JNI,
 * and the names of known.def.  The rows of known.def become three arrays here, which
 * the enumerations of wellknown.h index.  The VM reads the release from the JDK's
 * folder and refuses to start when there is no profile for it. */

#include "jdk/jdk.h"

static const struct jdk_profile jdk17_profile = {
    .feature = 17,
    .max_class_major = 61,
    .jvmti_version = 0x30000000 | 17 << 16,
    .jni_version = JNI_VERSION_10,
    .class_names = {
#define CLASS(id, path) [KNOWN_CLASS_##id] = path,
#include "jdk/known.def"
    },
    .fields = {
#define FIELD_THAT(class, field, type, injected) \
    [KNOWN_FIELD_##class##_##field] = { KNOWN_CLASS_##class, #field, type, injected },
#include "jdk/known.def"
    },
    .methods = {
#define METHOD_AS(class, id, method, type) \
    [KNOWN_METHOD_##class##_##id] = { KNOWN_CLASS_##class, method, type },
#include "jdk/known.def"
    },
};

const struct jdk_profile *
profile_of(int feature)
{
    return feature == jdk17_profile.feature ? &jdk17_profile : NULL;
}
