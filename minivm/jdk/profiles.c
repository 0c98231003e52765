/* SPDX-License-Identifier: MIT */
/* minivm/jdk/profiles.c -- picking the profile of a release. */

#include "jdk/profiles.h"

static const struct jdk_profile *const profiles[] = { &jdk17_profile };

const struct jdk_profile *
profile_of(int feature)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (profiles[i]->feature == feature)
            return profiles[i];
    return NULL;
}
