/* SPDX-License-Identifier: MIT */
/* minivm/options.h -- the VM's options (JNI "JNI_CreateJavaVM"). */

#ifndef MINIVM_OPTIONS_H
#define MINIVM_OPTIONS_H

#include <jni.h>

#include "vm/vm.h"

/* Defaults, before anything is read. */
void options_init(struct vm_options *o);

/*
 * Read args, then JAVA_TOOL_OPTIONS (before them) and _JAVA_OPTIONS (after them).
 * False when an option is unknown or malformed: the reason was printed.
 */
bool options_read(struct vm_options *o, const JavaVMInitArgs *args);

#endif
