/* SPDX-License-Identifier: MIT */
/*
 * layer/field.h -- of which classes are ids of fields that the agent got?
 *
 * An id of an instance field may be that of several classes, as with HotSpot, where it is
 * an offset, and an id whose class is unloaded may become another field's: so there is a
 * record for each class that it was got of.  Of an id that came by another way, or from
 * many classes, nobody knows.
 */
#ifndef LAYER_FIELD_H
#define LAYER_FIELD_H

#include <stdbool.h>

#include <jvmti.h>

/* What the records say of an id for a class. */
struct known_field {
    bool is_there, is_static;
    bool is_loaded;         /* one of the classes that it was got of */
    bool fits;              /* one of them is the class, or above it */
};
struct known_field field_find(JNIEnv *jni, jfieldID id, jclass class);
/* Get...FieldID gave the id for a class. */
void field_given(JNIEnv *jni, jclass class, jfieldID id, bool is_static);
/* GetClassFields gave it for the class that declares the field. */
void field_given_by_class(JNIEnv *jni, jclass class, jfieldID id);
/* Something else gave it. */
void field_note_otherwise(const void *id);
bool field_came_otherwise(const void *id);
/* The agent has native methods, in which it gets ids that nobody sees: from now on all of
   them come otherwise. */
void field_end(void);

#endif
