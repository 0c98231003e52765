/* SPDX-License-Identifier: MIT */
/* minivm/jdk/profiles.h -- the JDK releases that this VM can serve. */

#ifndef MINIVM_JDK_PROFILES_H
#define MINIVM_JDK_PROFILES_H

#include "vm/wellknown.h"

/* The profile of a feature release (17), or NULL. */
const struct jdk_profile *profile_of(int feature);

#endif
