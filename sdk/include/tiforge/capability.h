/* SPDX-License-Identifier: MIT */
/* tiforge/capability.h -- asking for capabilities, with a way back (JVM TI
   "Capability"). */
#ifndef TIFORGE_CAPABILITY_H
#define TIFORGE_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Add all of `required`, and those of `wanted` that the VM has now; either may be NULL.
 * `got` (or NULL) receives what the environment holds afterwards.  False when one of
 * the required ones is not to be had: they are named in the log and nothing was added.
 * Possible in the OnLoad and live phases; some capabilities are potential only in
 * OnLoad, some only in one environment at a time.
 */
bool tf_capabilities_add(jvmtiEnv *jvmti, const jvmtiCapabilities *required,
                         const jvmtiCapabilities *wanted, jvmtiCapabilities *got);

/*
 * Add the first of `count` sets that can be had as a whole, best first: its index, or
 * -1 when none can, which is for the caller to report.
 */
int tf_capabilities_choose(jvmtiEnv *jvmti, const jvmtiCapabilities *sets,
                           size_t count);

/* "can_tag_objects, can_pop_frame" of a set, cut to size; answers buffer. */
const char *tf_capabilities_text(const jvmtiCapabilities *set, char *buffer,
                                 size_t size);

/* Does `set` have all of `subset`? */
bool tf_capabilities_include(const jvmtiCapabilities *set,
                             const jvmtiCapabilities *subset);

#ifdef __cplusplus
}
#endif

#endif
