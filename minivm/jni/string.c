/* SPDX-License-Identifier: MIT */
/* minivm/jni/string.c -- JNI "String Operations".
 *
 * Native code gets copies of a string's characters, since a string may be stored as
 * bytes (runtime/string.h). */

#include "jni/entry.h"
#include "jni/functions.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "runtime/exception.h"
#include "runtime/string.h"

jstring JNICALL
jni_NewString(JNIEnv *env, const jchar *chars, jsize length)
{
    VM_ENTRY(env);

    return object_ref(self, string_from_utf16(self, chars, (size_t)length));
}

jstring JNICALL
jni_NewStringUTF(JNIEnv *env, const char *bytes)
{
    VM_ENTRY(env);

    if (!bytes)
        return NULL;
    return object_ref(self, string_from_modified(self, bytes, strlen(bytes)));
}

jsize JNICALL
jni_GetStringLength(JNIEnv *env, jstring string)
{
    VM_ENTRY(env);

    return string_length(ref_get(string));
}

jsize JNICALL
jni_GetStringUTFLength(JNIEnv *env, jstring string)
{
    VM_ENTRY(env);

    return (jsize)string_modified_length(ref_get(string));
}

/* The copy is freed by ReleaseStringChars.  NULL is returned for a string whose
   constructor has not run, and with OutOfMemoryError pending. */
const jchar *JNICALL
jni_GetStringChars(JNIEnv *env, jstring string, jboolean *is_copy)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);
    int32_t length = string_length(s);
    jchar *chars = NULL;

    if (!string_has_value(s))
        return NULL;
    /* A NUL follows the characters: callers have come to rely on it. */
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

/* The copy is freed by ReleaseStringUTFChars.  NULL is returned for a string whose
   constructor has not run. */
const char *JNICALL
jni_GetStringUTFChars(JNIEnv *env, jstring string, jboolean *is_copy)
{
    VM_ENTRY(env);
    const struct object *s = ref_get(string);

    if (is_copy)
        *is_copy = JNI_TRUE;
    return string_has_value(s) ? string_to_modified(s) : NULL;
}

void JNICALL
jni_ReleaseStringChars(JNIEnv *env, jstring string, const jchar *chars)
{
    (void)env;
    (void)string;
    mem_free((void *)(uintptr_t)chars);
}

void JNICALL
jni_ReleaseStringUTFChars(JNIEnv *env, jstring string, const char *utf)
{
    (void)env;
    (void)string;
    mem_free((void *)(uintptr_t)utf);
}

/* ---- critical sections: the characters are a copy here, too ---- */

const jchar *JNICALL
jni_GetStringCritical(JNIEnv *env, jstring string, jboolean *is_copy)
{
    return jni_GetStringChars(env, string, is_copy);
}

void JNICALL
jni_ReleaseStringCritical(JNIEnv *env, jstring string, const jchar *chars)
{
    jni_ReleaseStringChars(env, string, chars);
}

/* ---- regions ---- */

/* Returns true if the string has these characters; else false with
   StringIndexOutOfBoundsException pending. */
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

/* to has room for the bytes, of which there are up to three for each character, and for
   the NUL. */
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
