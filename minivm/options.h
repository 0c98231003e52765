/* SPDX-License-Identifier: MIT */
/* minivm/options.h -- the VM's options (JNI "JNI_CreateJavaVM"). */

#ifndef MINIVM_OPTIONS_H
#define MINIVM_OPTIONS_H

#include <jni.h>

#include "vm/vm.h"

/*
 * Fill o with the defaults and with what JAVA_TOOL_OPTIONS, args and _JAVA_OPTIONS say,
 * in this order.  False when an option is unknown or malformed: the reason was printed.
 */
bool options_read(struct vm_options *o, const JavaVMInitArgs *args);

#endif
