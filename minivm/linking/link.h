/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/link.h -- verification and preparation of classes (JVMS 5.4.1, 5.4.2).
 *
 * A class is linked before it is initialized, each class once.  Resolution (JVMS 5.4.3)
 * is lazy and stands in resolve.h.
 */

#ifndef MINIVM_LINKING_LINK_H
#define MINIVM_LINKING_LINK_H

#include <stdbool.h>

struct class;
struct classfile;
struct thread;

/*
 * Links c, after its superclass and superinterfaces, and sends ClassPrepare.  Returns
 * at once if c is linked, or if self is linking it.  Waits if another thread is.  May
 * load classes, stop and collect.  Returns false with the error pending; then c is not
 * linked, and the next call tries again.
 */
bool class_link(struct thread *self, struct class *c);

/*
 * Verifies file as a class file of c (JVMS 4.10), whatever the options say about
 * verification: file is that of c, or one that is to redefine it.  May load classes,
 * stop and collect.  Returns false with VerifyError or another error pending.
 */
bool class_verify(struct thread *self, struct class *c, const struct classfile *file);

#endif
