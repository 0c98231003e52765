/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/heap_walk.h -- what the cases about walks of the heap share: a graph of
 * tagged objects (java/tck/Graph.java), callbacks that take down what they are told,
 * and what they have taken down.
 */
#ifndef TCK_AGENT_HEAP_WALK_H
#define TCK_AGENT_HEAP_WALK_H

#include "tck/lib/stage.h"

#define GRAPH "Ltck/Graph;"

/* Tags of the graph's objects, see Graph.build(). */
/* A tag is a jlong: all of it counts. */
__extension__ enum { ROOT = 0x100009001, A, B, ARRAY, CLASS };

/* Indices of Graph's fields: the interface's one comes first, then those of the
 * superclass (JVM TI jvmtiHeapReferenceInfoField). */
enum { F_INHERITED = 1, F_LEFT, F_NUMBER, F_RIGHT, F_ARRAY, F_SHARED, F_COUNT };

struct edge {
    jvmtiHeapReferenceKind kind;
    jlong from, to;
    jint index;
    jint length;
    jlong size;
    jlong class_tag;
    jlong referrer_class_tag;
    bool root;          /* referrer_tag_ptr == NULL */
    bool self;          /* referrer_tag_ptr == tag_ptr */
    bool info;
    jlong thread_tag;   /* these of a local of a frame */
    jlong thread_id;
    jint depth;
    jmethodID method;
    jlocation location;
    jint slot;
};

/* What the callbacks have seen since walk_reset, and what they are to return. */
struct heap_walk {
    /* In any order of the walk, before those that a case looks for there may come all that
       have to do with a class that it has tagged. */
    struct edge edges[32768];
    int edge_count;
    jint answer;        /* what the callbacks return */
    jint value_answer;  /* what those for values return */
    int value_calls;
    jlong prune;        /* the object with this tag is not followed */
    void *seen_data;    /* the last user data */
    int data_calls;
    bool mixed_data;    /* it was not the same in all calls */
    struct { jlong tag, class_tag; jint index; jvmtiPrimitiveType type; jvalue value;
             jvmtiHeapReferenceKind kind; } fields[64];
    int field_count;
    struct { jlong tag, class_tag, size; jint count; jvmtiPrimitiveType type;
             jint first[8]; } arrays[16];
    int array_count;
    struct { jlong tag, class_tag, size; jint length; jchar text[32]; } strings[16];
    int string_count;
};

extern struct heap_walk walk;

/* One callback for references, three for values, one for all objects. */
extern const jvmtiHeapCallbacks walk_reference_callbacks;
extern const jvmtiHeapCallbacks walk_value_callbacks;
extern const jvmtiHeapCallbacks walk_object_callbacks;

/* Forget what was seen; the callbacks let the walk go on. */
void walk_reset(void);
void walk_tag(struct tck *t, jobject object, jlong value);
/* Take the tags of an earlier case's graph away, which may not be collected yet. */
void walk_forget(struct tck *t, jlong first, jlong last);
/* Build the graph and tag its objects; its class too.  Includes walk_reset. */
jobject walk_build(struct tck *t);
int walk_count_edges(jvmtiHeapReferenceKind kind, jlong from, jlong to, jint index);

#define FIELD JVMTI_HEAP_REFERENCE_FIELD
#define ELEMENT JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT

#define FOLLOW(filter, klass, root, callbacks)                                         \
    CALL(FollowReferences, filter, klass, root, callbacks, NULL)

#endif
