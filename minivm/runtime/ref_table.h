/* SPDX-License-Identifier: MIT */
/* minivm/runtime/ref_table.h -- the tables that references lie in, for the structures
 * that contain one.  Only refs.c looks into them; refs.h explains references. */

#ifndef MINIVM_RUNTIME_REF_TABLE_H
#define MINIVM_RUNTIME_REF_TABLE_H

#include <stdint.h>

struct ref_chunk;

/* The slots of one kind of references.  They lie in chunks that never move, of which
   only the newest has slots that were never used. */
struct ref_table {
    struct ref_chunk *chunk;  /* the newest one, or NULL */
    uint32_t count;           /* used slots of the newest chunk */
    struct ref_frame *pushed; /* newest frame of PushLocalFrame, or NULL */
    uintptr_t free_slots;     /* head of the list of deleted slots; 0: none */
};

/* A frame of local references (JNI "PushLocalFrame"): the table as it was when the
   frame began.  All references that are newer than it are let go with the frame. */
struct ref_frame {
    struct ref_table before;
};

#endif
