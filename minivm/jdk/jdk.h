/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jdk.h -- what the VM gives the JDK's class library besides JNI. */

#ifndef MINIVM_JDK_JDK_H
#define MINIVM_JDK_JDK_H

#include "vm/wellknown.h"

struct vm;
struct thread;

/* The profile of the JDK release at java_home, by its release file; NULL with
   *error (mem_free) when the release is not supported or is no JDK. */
const struct jdk_profile *jdk_profile_for(const char *java_home, char **error);

extern const struct jdk_profile jdk17_profile;

/* Register the natives that have C bodies; before the first class is loaded. */
void unsafe_register(void);
void handle_natives_register(void);
void reference_natives_register(void);

#endif
