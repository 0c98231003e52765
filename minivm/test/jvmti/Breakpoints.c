/* SPDX-License-Identifier: MIT */
#define PROGRAM Breakpoints
#include "debug.h"
