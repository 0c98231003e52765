/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.h -- the system properties that the VM sets. */

#ifndef MINIVM_JDK_PROPERTIES_H
#define MINIVM_JDK_PROPERTIES_H

#include "vm/vm.h"

/* Adds what the command line did not set to vm->options.properties; what it may not
   set (java.vm.name and its like) replaces it. */
void properties_init(struct vm *vm);

struct system_property *property_find(const struct vm_options *o, const char *key);
/* Its value, or NULL. */
const char *property_value(const struct vm_options *o, const char *key);
/* Add a property, or replace its value, which is taken over (mem_free). */
struct system_property *property_set(struct vm_options *o, const char *key,
                                     char *value);

/* The VM's arguments in one line; mem_free. */
char *vm_arguments(const struct vm_options *o);

/* VM.version and java.vm.version. */
extern const char minivm_version[];

#endif
