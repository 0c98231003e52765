/* SPDX-License-Identifier: MIT */
#define PROGRAM Watches
#include "debug.h"
