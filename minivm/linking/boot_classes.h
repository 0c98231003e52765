/* SPDX-License-Identifier: MIT */
/* minivm/linking/boot_classes.h -- the classes that the VM loads before all others. */

#ifndef MINIVM_LINKING_BOOT_CLASSES_H
#define MINIVM_LINKING_BOOT_CLASSES_H

#include <stdbool.h>

struct thread;

/*
 * Loads what everything else needs: Object, Class, String and so on, with mirrors for
 * what was loaded before java.lang.Class, and the primitive classes.  Called once, when
 * the heap, strings and monitors are ready.  Returns false with the reason in *error,
 * which the caller frees with mem_free, if the class library does not fit the VM.
 */
bool classes_boot(struct thread *self, char **error);

#endif
