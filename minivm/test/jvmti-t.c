/* SPDX-License-Identifier: MIT */
/* Event masks, tags and frame pop requests of JVM TI, in a VM without Java. */

#include "base/events.h"
#include "jvmti/deliver.h"
#include "jvmti/floor.h"
#include "jvmti/heap_tags.h"
#include "test/tap.h"
#include "test/thread-fixture.h"

static void JNICALL
on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)env, (void)jni, (void)thread, (void)method;
}

static void JNICALL
on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    (void)env, (void)jni, (void)thread, (void)klass;
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)location, (void)exception;
    (void)catch_method, (void)catch_location;
}

static const jvmtiEventCallbacks callbacks = {
    .MethodEntry = on_method_entry,
    .ClassLoad = on_class_load,
    .Exception = on_exception,
};

/* Returns a new environment; the calling thread is in the VM before and after. */
static struct jvmti_env *
new_environment(struct thread *self)
{
    void *env = NULL;

    thread_leave_vm(self);
    jint result = jvmti_get_env(self->vm, &env, JVMTI_VERSION_21);
    thread_enter_vm(self);
    return result == JNI_OK ? env : NULL;
}

static jvmtiError
set_mode(struct thread *self, struct jvmti_env *env, jvmtiEventMode mode,
         jvmtiEvent event, struct thread *t)
{
    /* Only whether there is an object counts here, and the address of anything is one. */
    const struct target target = { t ? (struct object *)(void *)t : NULL, t, false };

    return jvmti_SetEventNotificationMode(self, env, mode, event, &target);
}

static void
test_conditions(struct thread *self, struct jvmti_env *env)
{
    is_int(set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL),
           JVMTI_ERROR_NONE, "ClassLoad needs no capability");
    ok(!event_wanted(EVENT_CLASS_LOAD), "it is not wanted without a callback");
    jvmti_SetEventCallbacks(self, env, &callbacks, sizeof callbacks);
    ok(event_wanted(EVENT_CLASS_LOAD), "with one it is");
    ok(env_wants(env, self, EVENT_CLASS_LOAD), "by the environment, for this thread");
    ok(!event_wanted(EVENT_CLASS_PREPARE), "an event that is not enabled is not");
    vm_set_phase(self->vm, VM_PHASE_ONLOAD);
    jvmti_update_events(self);
    ok(!event_wanted(EVENT_CLASS_LOAD), "nor is ClassLoad in a phase without it");
    vm_set_phase(self->vm, VM_PHASE_LIVE);
    jvmti_update_events(self);
    ok(event_wanted(EVENT_CLASS_LOAD), "in the live phase it is again");
    jvmti_SetEventCallbacks(self, env, &callbacks, 0);
    ok(!event_wanted(EVENT_CLASS_LOAD), "a struct of size 0 has no callbacks");
    jvmti_SetEventCallbacks(self, env, &callbacks, sizeof callbacks);
    set_mode(self, env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    ok(!event_wanted(EVENT_CLASS_LOAD), "a disabled event is not wanted");
    is_int(set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL),
           JVMTI_ERROR_MUST_POSSESS_CAPABILITY, "MethodEntry needs a capability");
    is_int(set_mode(self, env, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL),
           JVMTI_ERROR_NONE, "but not to be disabled");
    is_int(set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, self),
           JVMTI_ERROR_ILLEGAL_ARGUMENT, "VMInit is for all threads");
}

static void
test_threads(struct thread *self, struct jvmti_env *env)
{
    struct jvmti_env *other = new_environment(self);

    env->capabilities.can_generate_method_entry_events = 1;
    set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, self);
    ok(event_wanted(EVENT_METHOD_ENTRY), "an event for one thread is wanted");
    ok(env_wants(env, self, EVENT_METHOD_ENTRY), "for that thread");
    is_int(env->active & (uint64_t)1 << EVENT_METHOD_ENTRY, 0, "and not for all");
    ok(!env_wants(other, self, EVENT_METHOD_ENTRY), "nor by another environment");
    ok(atomic_load(&self->poll.hooks) & HOOK_METHOD_ENTRY, "calls look at it");
    set_mode(self, env, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, self);
    ok(!(atomic_load(&self->poll.hooks) & HOOK_METHOD_ENTRY), "until it is disabled");
    set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    ok(atomic_load(&self->poll.hooks) & HOOK_METHOD_ENTRY, "for all threads likewise");
    is_int(jvmti_DisposeEnvironment(self, env), JVMTI_ERROR_NONE, "the end of it");
    ok(!event_wanted(EVENT_METHOD_ENTRY), "ends its events");
    ok(!(atomic_load(&self->poll.hooks) & HOOK_METHOD_ENTRY), "and its hooks");
    is_int(jvmti_DisposeEnvironment(self, env), JVMTI_ERROR_INVALID_ENVIRONMENT,
           "it ends once");
    jvmti_DisposeEnvironment(self, other);
    ok(!event_wanted(EVENT_THREAD_START), "without environments nothing is wanted");
}

static void
test_exceptions(struct thread *self)
{
    struct jvmti_env *env = new_environment(self);

    env->capabilities.can_generate_exception_events = 1;
    jvmti_SetEventCallbacks(self, env, &callbacks, sizeof callbacks);
    set_mode(self, env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
    ok(event_wanted(EVENT_EXCEPTION_CATCH), "who hears of throws needs catches too");
    ok(!env_wants(env, self, EVENT_EXCEPTION_CATCH), "which the agent is not told");
    jvmti_DisposeEnvironment(self, env);
}

static void
test_tags(struct thread *self)
{
    struct jvmti_env *env = new_environment(self), *other = new_environment(self);
    const char *heap;
    size_t size;

    /* The table goes by addresses, so there need not be objects. */
    heap_range(self->vm->heap, &heap, &size);
    const void *near = heap + OBJECT_DISTANCE, *beside = heap + 2 * OBJECT_DISTANCE;
    const void *far = heap + size - OBJECT_DISTANCE;
    is_int(tag_get(env->tags, near), 0, "no tag before there is a table");
    is_int(tag_set(env, near, 0), JVMTI_ERROR_NONE, "no tag can be removed");
    ok(env->tags == NULL, "that makes no table");
    is_int(tag_set(env, near, -7), JVMTI_ERROR_NONE, "a tag");
    is_int(tag_get(env->tags, near), -7, "is there");
    is_int(tag_get(env->tags, beside), 0, "and not beside");
    is_int(tag_get(env->tags, far), 0, "nor beyond the memory of the table");
    is_int(tag_get(other->tags, near), 0, "nor in another environment");
    is_int(tag_set(env, far, INT64_MAX), JVMTI_ERROR_NONE, "the heap's last object");
    is_int(tag_get(env->tags, far), INT64_MAX, "has its tag");
    is_int(tag_get(env->tags, near), -7, "the first one still, too");
    is_int(env->tags->counts[0], 1, "one tag is counted in the first page");
    tag_set(env, near, 8);
    is_int(env->tags->counts[0], 1, "a change counts none");
    tag_set(env, near, 0);
    is_int(env->tags->counts[0], 0, "a removed tag is not counted");
    is_int(tag_get(env->tags, near), 0, "and gone");
    jvmti_DisposeEnvironment(self, env);
    is_int(tag_set(env, near, 1), JVMTI_ERROR_INVALID_ENVIRONMENT,
           "a disposed environment has no tags");
    jvmti_DisposeEnvironment(self, other);
}

static void
test_frame_pops(struct thread *self)
{
    struct jvmti_env *env = new_environment(self), *other = new_environment(self);
    struct method method = { .access_flags = 0 },
                  native = { .access_flags = ACC_NATIVE };
    struct method_version version = { .method = &method };
    struct method_version native_version = { .method = &native };
    struct frame older = { .version = &native_version };
    struct frame newest = { .caller = &older, .version = &version };
    const struct target target = { NULL, self, false };

    self->top = &newest;
    is_int(jvmti_NotifyFramePop(self, env, &target, 1), JVMTI_ERROR_OPAQUE_FRAME,
           "a native method's frame");
    is_int(jvmti_NotifyFramePop(self, env, &target, 2), JVMTI_ERROR_NO_MORE_FRAMES,
           "a frame that is none");
    ok(self->jvmti->pop_requests == NULL, "give no request");
    is_int(jvmti_NotifyFramePop(self, env, &target, 0), JVMTI_ERROR_NONE, "a request");
    ok(atomic_load(&self->poll.hooks) & HOOK_FRAME_POP, "returns look at it");
    const struct pop_request *first = self->jvmti->pop_requests;
    is_int(jvmti_NotifyFramePop(self, env, &target, 0), JVMTI_ERROR_NONE, "once more");
    ok(self->jvmti->pop_requests == first, "adds nothing");
    jvmti_NotifyFramePop(self, other, &target, 0);
    ok(self->jvmti->pop_requests != first, "another environment does");
    jvmti_drop_pop_requests(self, &older);
    ok(self->jvmti->pop_requests != NULL, "another frame's end leaves them");
    jvmti_on_frame_pop(self, &newest, false);
    ok(self->jvmti->pop_requests == NULL, "its own removes them, events or not");
    ok(!(atomic_load(&self->poll.hooks) & HOOK_FRAME_POP), "returns go on at once");
    self->top = NULL;
    jvmti_DisposeEnvironment(self, env);
    jvmti_DisposeEnvironment(self, other);
}

/* What this floor asks of the class library. */
static const struct jdk_profile profile = { .jvmti_version = 0x30110000 };

int
main(void)
{
    const struct heap_options options = { .initial = 1 << 20, .maximum = 8 << 20 };
    const char *error;

    the_vm = &test_vm;
    test_vm.profile = &profile;
    test_vm.heap = heap_new(&options, &error);
    jvmti_init(&test_vm);
    struct thread *self = fixture_start();
    vm_set_phase(&test_vm, VM_PHASE_LIVE);

    struct jvmti_env *env = new_environment(self);
    ok(env != NULL, "an environment");
    test_conditions(self, env);
    test_threads(self, env);
    test_exceptions(self);
    test_tags(self);
    test_frame_pops(self);
    return done_testing();
}
