/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/hprof_roots.c -- the roots of an HPROF file, as the walk tells them: JNI
 * references, locals by their frame's number in the trace of their thread, and others.
 */
#include "agents/heapdump/hprof.h"

static void
put_root(struct hprof *h, int tag, uint64_t to, unsigned numbers, uint32_t first,
         uint32_t second)
{
    hprof_begin(h, 1 + ID_SIZE + numbers * 4);
    hprof_put(h, (uint64_t)tag, 1);
    hprof_put(h, to, ID_SIZE);
    if (numbers > 0)
        hprof_put(h, first, 4);
    if (numbers > 1)
        hprof_put(h, second, 4);
}

static bool
is_frame(const struct thread *thread, jint depth, jmethodID method)
{
    return depth >= 0 && (uint32_t)depth < thread->frame_count
        && thread->frames[depth].method == method;
}

/*
 * A frame's number in its thread's trace, -1 where the trace does not have it.  A walk counts
 * from the innermost frame, and a thread that runs may have called or returned since its
 * trace was taken; HotSpot's walk also counts the frames by which a virtual thread yields,
 * which its trace leaves out.  So a thread's depths may all be wrong by the same few.
 */
static uint32_t
frame_number(const struct model *model, uint32_t serial, jint depth, jmethodID method)
{
    enum { MOST = 16 };
    struct thread *thread = &model->threads[serial - 1];

    for (jint i = 0; i <= MOST && !is_frame(thread, depth - thread->moved, method); i++)
        if (is_frame(thread, depth - i, method))
            thread->moved = i;
        else if (is_frame(thread, depth + i, method))
            thread->moved = -i;
    return is_frame(thread, depth - thread->moved, method)
        ? (uint32_t)(depth - thread->moved) : UINT32_MAX;
}

/* Readers want to know a thread before what its frames refer to.  A thread that has ended
   since its trace was taken may be no object any more: so its root is written when the walk
   tells of the thread, or of its frames. */
void
hprof_thread_root(struct hprof *h, uint32_t serial)
{
    struct thread *thread = &h->model->threads[serial - 1];

    if (!thread->told)
        put_root(h, ROOT_THREAD, thread->number, 2, serial, NO_TRACE + serial);
    thread->told = true;
}

/* Of threads that started after the traces were taken nothing else is known. */
static void
put_frame_root(struct hprof *h, int tag, uint64_t to, jlong thread, jint depth,
               jmethodID method)
{
    uint32_t serial = threads_number(h->model, thread);

    if (serial == 0)
        put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
    else {
        hprof_thread_root(h, serial);
        put_root(h, tag, to, 2, serial, frame_number(h->model, serial, depth, method));
    }
}

void
hprof_root(struct hprof *h, jvmtiHeapReferenceKind kind,
           const jvmtiHeapReferenceInfo *info, uint64_t to)
{
    uint32_t serial;

    switch (kind) {
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL:
        hprof_begin(h, 1 + 2 * ID_SIZE);
        hprof_put(h, ROOT_JNI_GLOBAL, 1);
        hprof_put(h, to, ID_SIZE);
        hprof_put(h, 0, ID_SIZE);         /* JVM TI does not tell the reference itself */
        break;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
        put_frame_root(h, ROOT_JNI_LOCAL, to, info->jni_local.thread_tag,
                       info->jni_local.depth, info->jni_local.method);
        break;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
        put_frame_root(h, ROOT_FRAME, to, info->stack_local.thread_tag,
                       info->stack_local.depth, info->stack_local.method);
        break;
    case JVMTI_HEAP_REFERENCE_MONITOR:
        put_root(h, ROOT_MONITOR, to, 0, 0, 0);
        break;
    case JVMTI_HEAP_REFERENCE_THREAD:
        serial = threads_number(h->model, (jlong)to);
        if (serial == 0)
            put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
        else
            hprof_thread_root(h, serial);
        break;
    case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS:
        put_root(h, to < FIRST_OBJECT ? ROOT_CLASS : ROOT_UNKNOWN, to, 0, 0, 0);
        break;
    default:
        put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
        break;
    }
}
