/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.h -- the system properties that the VM sets or reads.
 *
 * They are a list in vm->options: those of -D come first, properties_init adds the VM's
 * own, and System takes them over during initPhase1 (JVM_GetProperties).  Later changes
 * by Java code do not come back here.  Only the start changes the list (agents in
 * Agent_OnLoad, too), in one thread; any thread may read it later. */

#ifndef MINIVM_JDK_PROPERTIES_H
#define MINIVM_JDK_PROPERTIES_H

#include "runtime/vm.h"

/*
 * Adds what the command line did not set to vm->options.properties; what it may not set
 * (java.vm.name and its like) replaces it.
 */
void properties_init(struct vm *vm);

/* Returns a property, or NULL; and its value, or NULL. */
struct system_property *property_find(const struct vm_options *o, const char *key);
const char *property_value(const struct vm_options *o, const char *key);

/* Adds a property, or replaces its value; takes value over (mem_free). */
struct system_property *property_set(struct vm_options *o, const char *key,
                                     char *value);

/* Returns the VM's arguments in one line; mem_free. */
char *vm_arguments(const struct vm_options *o);

/* This VM's version, as java.vm.version has it. */
extern const char minivm_version[];

#endif
