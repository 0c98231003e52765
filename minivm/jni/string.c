/* SPDX-License-Identifier: MIT */
/* minivm/jni/string.c -- strings (JNI "String Operations"). */

#include "jni/functions.h"
#include "jni/entry.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vm/exception.h"
#include "vm/string.h"

JVM_VALUE(jstring, jni_NewString, (JNIEnv *env, const jchar *chars, jsize length),
          object_ref(self, string_from_utf16(self, chars, (size_t)length)))
JVM_VALUE(jstring, jni_NewStringUTF, (JNIEnv *env, const char *bytes),
          bytes ? object_ref(self, string_from_modified(self, bytes, strlen(bytes)))
                : NULL)
JVM_VALUE(jsize, jni_GetStringLength, (JNIEnv *env, jstring string),
          string_length(ref_get(string)))
JVM_VALUE(jsize, jni_GetStringUTFLength, (JNIEnv *env, jstring string),
          (jsize)string_modified_length(ref_get(string)))

const jchar *JNICALL
jni_GetStringChars(JNIEnv *env, jstring string, jboolean *is_copy)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);
    int32_t length = string_length(s);
    /* One more for a NUL, which callers have come to rely on. */
    jchar *chars = NULL;

    if (!string_has_value(s))
        return NULL;
    chars = mem_try_alloc(((size_t)length + 1) * sizeof *chars);
    if (!chars)
        return throw_out_of_memory(self, "native memory");
    for (int32_t i = 0; i < length; i++)
        chars[i] = string_char_at(s, i);
    chars[length] = 0;
    if (is_copy)
        *is_copy = JNI_TRUE;
    return chars;
}

const char *JNICALL
jni_GetStringUTFChars(JNIEnv *env, jstring string, jboolean *is_copy)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);

    if (is_copy)
        *is_copy = JNI_TRUE;
    return string_has_value(s) ? string_to_modified(s) : NULL;
}

#define RELEASE(name, type) \
    JVM_PLAIN(void, jni_Release##name, \
              (JNIEnv *env UNUSED, jstring string UNUSED, const type *chars), \
              mem_free((void *)(uintptr_t)chars))
RELEASE(StringChars, jchar)
RELEASE(StringUTFChars, char)
RELEASE(StringCritical, jchar)

static bool
in_bounds(struct thread *self, const struct object *s, jsize start, jsize count)
{
    int32_t length = string_length(s);

    if (start >= 0 && count >= 0 && (int64_t)start + count <= length)
        return true;
    return THROW(self, StringIndexOutOfBoundsException,
                 "Region range [%d, %lld) out of bounds for length %d", start,
                 (long long)start + count, length);
}

void JNICALL
jni_GetStringRegion(JNIEnv *env, jstring string, jsize start, jsize count, jchar *to)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);

    if (in_bounds(self, s, start, count))
        for (jsize i = 0; i < count; i++)
            to[i] = string_char_at(s, start + i);
}

void JNICALL
jni_GetStringUTFRegion(JNIEnv *env, jstring string, jsize start, jsize count, char *to)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);

    if (!in_bounds(self, s, start, count))
        return;
    for (jsize i = 0; i < count; i++)
        to = mutf8_put(to, string_char_at(s, start + i));
    *to = '\0';
}

JVM_PLAIN(const jchar *, jni_GetStringCritical,
          (JNIEnv *env, jstring string, jboolean *is_copy),
          jni_GetStringChars(env, string, is_copy))
