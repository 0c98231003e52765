/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/heap.h -- what can be changed in the callbacks of the heap functions.
 *
 * The runner names the faults FUNCTION.callback.CALLBACK.WHAT from this table, and the
 * agent puts them in (heap.c).  Besides the parameters, WHAT is
 *   dropped   every second call is left out
 *   doubled   every call is made twice
 *   narrow    64 bits of a tag are cut to 32
 *   resumed   what the callback returns to end the iteration or to go no deeper is lost
 */
#ifndef TCK_MUTATE_HEAP_H
#define TCK_MUTATE_HEAP_H

#define MUTATE_CALLS "dropped doubled narrow resumed user_data "
#define MUTATE_OBJECT MUTATE_CALLS "class_tag size tag_ptr "
#define MUTATE_STACK                                                                   \
    "stack.thread_tag stack.depth stack.method stack.location stack.slot "            \
    "native.thread_tag native.depth native.method "

static const struct {
    const char *function, *callback;
    const char *changes;   /* separated by spaces */
} mutate_heap[] = {
    { "FollowReferences", "heap_reference",
      MUTATE_OBJECT "reference_kind referrer_class_tag referrer_tag_ptr length "
      "field.index array.index constant_pool.index " MUTATE_STACK },
    { "FollowReferences", "primitive_field",
      "dropped doubled resumed user_data class_tag tag_ptr kind index value value_type" },
    { "FollowReferences", "array_primitive_value",
      MUTATE_OBJECT "element_count element_type elements" },
    { "FollowReferences", "string_primitive_value",
      MUTATE_OBJECT "value_length value" },
    { "IterateThroughHeap", "heap_iteration", MUTATE_OBJECT "length" },
    { "IterateThroughHeap", "primitive_field",
      "dropped doubled user_data class_tag tag_ptr kind index value value_type" },
    { "IterateThroughHeap", "array_primitive_value",
      "dropped doubled user_data class_tag size tag_ptr "
      "element_count element_type elements" },
    { "IterateThroughHeap", "string_primitive_value",
      "dropped doubled user_data class_tag size tag_ptr value_length value" },
    { "IterateOverReachableObjects", "heap_root", MUTATE_OBJECT "root_kind" },
    { "IterateOverReachableObjects", "stack_ref",
      MUTATE_OBJECT "root_kind thread_tag depth method slot" },
    { "IterateOverReachableObjects", "object_ref",
      MUTATE_OBJECT "reference_kind referrer_tag referrer_index" },
    { "IterateOverHeap", "heap_object", MUTATE_OBJECT },
    { "IterateOverInstancesOfClass", "heap_object", MUTATE_OBJECT },
    { "IterateOverObjectsReachableFromObject", "object_ref",
      MUTATE_OBJECT "reference_kind referrer_tag referrer_index" },
};

#endif
