/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/class_hook.c -- JVM TI "Class File Load Hook". */

#include <string.h>

#include "jvmti/deliver.h"
#include "vm/loader.h"

/* Where retransformation begins: what came to the first agent that changed it and takes
   part in it; the caller's bytes are copied. */
static void
keep_initial(struct class_bytes *b)
{
    b->initial = b->changed;
    b->initial_length = b->length;
    if (b->initial == NULL) {
        b->initial = mem_alloc(b->length);
        memcpy(b->initial, b->bytes, b->length);
    }
    b->changed = NULL;
}

/* What agents make comes from Allocate. */
static void
send_hook(struct delivery *d, struct jvmti_env *env, struct class_bytes *b,
          jclass klass, jobject loader, jobject domain)
{
    unsigned char *fresh = NULL;
    jint fresh_length = 0;

    SEND_ONE(*d, env, ClassFileLoadHook, delivery_jni(d, env), klass, loader, b->name,
             domain, (jint)b->length, b->bytes, &fresh_length, &fresh);
    if (fresh == NULL)
        return;
    if (env->is_retransform_capable && b->initial == NULL)
        keep_initial(b);
    mem_free(b->changed);
    b->bytes = b->changed = fresh;
    b->length = fresh_length > 0 ? (size_t)fresh_length : 0;
}

/* Agents that cannot retransform see the bytes first: what they do stays when the class
   is retransformed. */
void
jvmti_on_class_file_load(struct thread *self, struct class_bytes *b)
{
    DELIVERY(d, self);
    jclass klass = b->redefined ? delivery_ref(&d, b->redefined->layout.mirror) : NULL;
    jobject loader = delivery_ref(&d, b->loader->object);
    jobject domain = delivery_ref(&d, b->protection_domain);
    for (int capable = b->again; capable < 2; capable++)
        FOR_EACH_ENV(self->vm, env)
            if (env->is_retransform_capable == (bool)capable
                && env_wants(env, self, EVENT_INDEX(CLASS_FILE_LOAD_HOOK)))
                send_hook(&d, env, b, klass, loader, domain);
    /* Many give back a copy of what they do not change. */
    if (b->initial != NULL && b->initial_length == b->length
        && memcmp(b->initial, b->bytes, b->length) == 0) {
        mem_free(b->initial);
        b->initial = NULL;
    }
}
