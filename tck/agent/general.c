/* SPDX-License-Identifier: MIT */
/* tck/agent/general.c -- chapters General, Timers and System Properties. */
#include "tck/lib/stage.h"

#include <string.h>

TCK_CASE("general", version_type, "GetVersionNumber.behaviour.interface-type",
         "Get Version Number", 551)
{
    jint version;

    CALL(GetVersionNumber, &version);
    SAME(JVMTI_VERSION_INTERFACE_JVMTI, version & JVMTI_VERSION_MASK_INTERFACE_TYPE);
}

