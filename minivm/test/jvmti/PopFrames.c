/* SPDX-License-Identifier: MIT */
#define PROGRAM PopFrames
#include "leave.h"
