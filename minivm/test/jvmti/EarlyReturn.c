/* SPDX-License-Identifier: MIT */
#define PROGRAM EarlyReturn
#include "leave.h"
