/* SPDX-License-Identifier: MIT */
#include "tck/src/run.h"
void report_html(const struct run *run, FILE *out) { (void)run; fputs("<html></html>", out); }
