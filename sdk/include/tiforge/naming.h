/* SPDX-License-Identifier: MIT */
/*
 * tiforge/naming.h -- names of classes, methods, fields, frames and threads as people
 * read them, and patterns over them.
 *
 * Results are appended to a buffer by tf_buffer_printable, so that a name never breaks a
 * line or moves a terminal's cursor.  Each function that asks JVM TI
 * answers false and appends "?" when that fails (logged as by tf_check).  They need the
 * start or live phase and are not callback safe in the sense of JVM TI's heap
 * callbacks.
 */
#ifndef TIFORGE_NAMING_H
#define TIFORGE_NAMING_H

#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#include <tiforge/buffer.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A field descriptor (JVMS 4.3.2) as Java writes the type: "[Ljava/lang/String;" gives
 * "java.lang.String[]".  A hidden class's "Lp/C.0x1f;" gives "p.C/0x1f", which is its
 * getName().  False for what is none; then it is appended as it is.
 */
bool tf_name_type(struct tf_buffer *out, const char *descriptor);

/* A method descriptor's parameters: "(I[J)V" gives "(int, long[])". */
bool tf_name_parameters(struct tf_buffer *out, const char *descriptor);

/* A method as in a declaration: "int p.C.m(long)" of "p.C", "m", "(J)I". */
bool tf_name_method_descriptor(struct tf_buffer *out, const char *class_name,
                               const char *method, const char *descriptor);

/* A binary name from outside to inside: dots become slashes, in place. */
void tf_name_to_internal(char *name);

/* "java.util.Map$Entry", "int[]" (JVM TI "Get Class Signature"). */
bool tf_name_class(struct tf_buffer *out, jvmtiEnv *jvmti, jclass klass);

enum tf_method_style {
    TF_METHOD_SHORT,        /* java.lang.String.indexOf */
    TF_METHOD_PARAMETERS,   /* java.lang.String.indexOf(int, int) */
    TF_METHOD_FULL,         /* int java.lang.String.indexOf(int, int) */
    TF_METHOD_DESCRIPTOR    /* java/lang/String.indexOf(II)I */
};

/* jni is for the reference to the declaring class, which is deleted again. */
bool tf_name_method(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni,
                    jmethodID method, enum tf_method_style style);

/* "p.C.name" (JVM TI "Get Field Name"). */
bool tf_name_field(struct tf_buffer *out, jvmtiEnv *jvmti, jclass klass,
                   jfieldID field);

/*
 * A frame as in a stack trace: "p.C.m(C.java:12)", "(C.java)" without a line, "(Native
 * Method)" for location -1, "(Unknown Source)" without a source.  With the capabilities
 * can_get_line_numbers and can_get_source_file_name; without them it says less.
 */
bool tf_name_frame(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni,
                   jmethodID method, jlocation location);

/* The line of a location; 0 when it is not known. */
jint tf_line_of(jvmtiEnv *jvmti, jmethodID method, jlocation location);

/* A thread's name, "(no name)" for the empty one that virtual threads have unless they
   are given another; NULL is the current thread.  Live phase. */
bool tf_name_thread(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni,
                    jthread thread);

/*
 * Does name match pattern?  `*` stands for any text, `?` for one character, all else
 * for itself; both name the class with dots: "java.util.*".
 */
bool tf_name_matches(const char *pattern, const char *name);

/*
 * Is name wanted?  Yes if it matches a pattern of include, or include is empty, and
 * none of exclude.  Both are NULL-terminated lists or NULL, as TF_LIST options give.
 */
bool tf_name_wanted(char *const *include, char *const *exclude, const char *name);

#ifdef __cplusplus
}
#endif

#endif
