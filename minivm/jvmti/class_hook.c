/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/class_hook.c -- JVM TI "Class File Load Hook". */

#include "base/events.h"
#include "base/mem.h"
#include "jvmti/deliver.h"
#include "vm/loader.h"

/* The bytes as they go from hook to hook; changed ones come from Allocate. */
struct hooked {
    const uint8_t *bytes;
    jint length;
    uint8_t *changed;              /* bytes, when an agent made them */
};

static void
send_hook(struct delivery *d, struct jvmti_env *env, struct hooked *h, jclass redefined,
          jobject loader, const char *name, jobject domain)
{
    unsigned char *fresh = NULL;
    jint fresh_length = 0;

    SEND_ONE(*d, env, ClassFileLoadHook, d->jni, redefined, loader, name, domain,
             h->length, h->bytes, &fresh_length, &fresh);
    if (fresh == NULL)
        return;
    mem_free(h->changed);
    *h = (struct hooked){ fresh, fresh_length, fresh };
}

/* Agents that cannot retransform see the bytes first: what they do stays when the class
   is retransformed. */
static bool
on_class_file_load(struct thread *self, struct class *redefined, struct loader *loader,
                   const char *name, struct object *protection_domain,
                   const uint8_t *old_bytes, size_t old_length, uint8_t **bytes,
                   size_t *length)
{
    struct hooked h = { .bytes = old_bytes, .length = (jint)old_length };

    DELIVERY(d, self);
    jclass klass = redefined ? delivery_ref(&d, redefined->layout.mirror) : NULL;
    jobject loader_ref = delivery_ref(&d, loader->object);
    jobject domain = delivery_ref(&d, protection_domain);
    for (int capable = 0; capable < 2; capable++)
        FOR_EACH_ENV(self->vm, env)
            if (env->capabilities.can_retransform_classes == (unsigned)capable
                && env_wants(env, self, EVENT_INDEX(CLASS_FILE_LOAD_HOOK)))
                send_hook(&d, env, &h, klass, loader_ref, name, domain);
    *bytes = h.changed;
    *length = (size_t)h.length;
    return h.changed != NULL;
}

void
jvmti_init_class_hook(void)
{
    event_hooks.class_file_load = on_class_file_load;
}
