/* SPDX-License-Identifier: MIT */
#define PROGRAM Steps
#include "debug.h"
