/* SPDX-License-Identifier: MIT */
/* minivm/jdk/profiles.c -- picking the profile of a release. */

#include "jdk/jdk.h"

static const struct jdk_profile jdk17_profile = {
    .feature = 17,
    .max_class_major = 61,
    .jvmti_version = 0x30000000 | 17 << 16,
    .jni_version = JNI_VERSION_10,
    .class_names = {
#define CLASS(id, path) [KNOWN_CLASS_##id] = path,
#include "vm/known.def"
    },
    .fields = {
#define FIELD_THAT(class, field, type, injected) \
    [KNOWN_FIELD_##class##_##field] = { KNOWN_CLASS_##class, #field, type, injected },
#include "vm/known.def"
    },
    .methods = {
#define METHOD_AS(class, id, method, type) \
    [KNOWN_METHOD_##class##_##id] = { KNOWN_CLASS_##class, method, type },
#include "vm/known.def"
    },
};

const struct jdk_profile *
profile_of(int feature)
{
    return feature == jdk17_profile.feature ? &jdk17_profile : NULL;
}
