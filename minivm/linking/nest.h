/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/nest.h -- nest hosts (JVMS 5.4.4).
 *
 * Private members are accessible to the classes of the same nest: those with the same
 * host.  access.c asks, and so do the natives of java.lang.Class that tell about nests.
 */

#ifndef MINIVM_LINKING_NEST_H
#define MINIVM_LINKING_NEST_H

struct class;
struct thread;

/*
 * Returns the nest host of c (JVMS 5.4.4), never NULL: c itself if it names none or if
 * the one that it names is none.  May load the host, stop and collect.  Nothing new is
 * pending afterwards unless an error that says nothing about the class (no memory, for
 * example) has kept the host from being found; that is tried again the next time.
 */
struct class *class_nest_host(struct thread *self, struct class *c);

#endif
