/* SPDX-License-Identifier: MIT */
/*
 * minivm/options.h -- reading the VM's options (JNI "JNI_CreateJavaVM").
 *
 * The result is a struct vm_options (runtime/vm.h), which the rest of the VM reads.
 * Only invocation.c calls this, in the one thread that creates the VM, before there is
 * a heap.
 */

#ifndef MINIVM_OPTIONS_H
#define MINIVM_OPTIONS_H

#include <jni.h>

#include "runtime/vm.h"

/*
 * Fills o, but for java_home, with the defaults and then with what -XX:Flags files, JAVA_TOOL_OPTIONS, args
 * and _JAVA_OPTIONS say, in this order, so that the later ones win.  Options are those
 * of the JDK of that release.  Texts in o are
 * allocated and live as long as the process.  Returns false when an option is unknown
 * or malformed; the reason was printed then.  Some options (-Xlog:help) print and end
 * the process.
 */
bool options_read(struct vm_options *o, const JavaVMInitArgs *args, int feature);

#endif
