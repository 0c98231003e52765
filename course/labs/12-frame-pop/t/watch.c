/* SPDX-License-Identifier: MIT */
/*
 * What the marking links into the submission's VM: it counts how often the hook for the
 * end of a frame is called.  The linker leads the VM's calls of it here (--wrap).  The
 * lab's own agent (probe.c) finds the count by its name, which the VM's library exports.
 */
#include <jni.h>
#include <stdbool.h>

struct frame;
struct thread;

static __thread int calls;

void __real_jvmti_on_frame_pop(struct thread *self, struct frame *frame,
                               bool by_exception);
void __wrap_jvmti_on_frame_pop(struct thread *self, struct frame *frame,
                               bool by_exception);
JNIEXPORT int JVM_LabFramePops(void);

void
__wrap_jvmti_on_frame_pop(struct thread *self, struct frame *frame, bool by_exception)
{
    calls++;
    __real_jvmti_on_frame_pop(self, frame, by_exception);
}

/* How often the calling thread has looked at the end of a frame. */
int
JVM_LabFramePops(void)
{
    return calls;
}
