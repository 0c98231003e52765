/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.h -- the system properties that the VM sets. */

#ifndef MINIVM_JDK_PROPERTIES_H
#define MINIVM_JDK_PROPERTIES_H

#include "vm/vm.h"

/* Adds what the command line did not set to vm->options.properties; what it may not
   set (java.vm.name and its like) replaces it. */
void properties_init(struct vm *vm);

/* The value of a property, or NULL. */
const char *property_value(const struct vm *vm, const char *key);

/* VM.version and java.vm.version. */
extern const char minivm_version[];

#endif
