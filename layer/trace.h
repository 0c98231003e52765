/* SPDX-License-Identifier: MIT */
/*
 * layer/trace.h -- each call and each event of an agent in a line, for a reader.
 *
 *     0.128801 [main] VMInit(thread="main") {
 *     0.128830 [main]   GetThreadInfo(thread="main", info_ptr=0x7f...) = NONE <0.000009>
 *     0.128850 [main] } VMInit <0.000049>
 */
#ifndef LAYER_TRACE_H
#define LAYER_TRACE_H

#include "layer/interpose/interpose.h"

/* Open the file; false, with a message, if that cannot be. */
bool trace_start(void);
/* Write the summary, if it is wanted. */
void trace_end(void);

/* Nothing is done if there is no trace. */
void trace_call_begin(struct interpose_call *call);
void trace_call_end(struct interpose_call *call);
void trace_jni_begin(struct interpose_jni_call *call);
void trace_jni_end(struct interpose_jni_call *call);
void trace_event_begin(struct interpose_event *event);
void trace_event_end(struct interpose_event *event);

#endif
