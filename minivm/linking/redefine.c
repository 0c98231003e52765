/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/redefine.c -- giving loaded classes new versions.
 *
 * classes_redefine works in two steps.  First, for each class, agents see the new class
 * file, which is parsed, compared with the current one, and verified; nothing has
 * changed yet, so the whole can still be refused.  Then the world is stopped and all
 * classes are exchanged.
 *
 * In the exchange each method gets a new struct method_version, which becomes its
 * current one; calls load that anew each time.  Frames go on with the version that they
 * began with.  Old versions stay in a list behind the new one while a frame runs them
 * or a jmethodID names them; the others are only kept for backtraces, without their
 * translation.  Memory of versions is in the class's arena and is freed with the class.
 */

#include "linking/redefine.h"

#include <string.h>

#include "base/events.h"
#include "base/history.h"
#include "base/mem.h"
#include "linking/compare.h"
#include "linking/link.h"
#include "linking/loader.h"
#include "linking/loading.h"
#include "linking/make.h"
#include "linking/module.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/reflect.h"
#include "runtime/string.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

bool
class_is_modifiable(const struct class *c)
{
    return !c->primitive && !class_is_array(c) && !(c->flags & CLASS_IS_HIDDEN);
}

/* ---- one redefinition of a class at a time ---- */

/* Waits until no other thread redefines one of the classes, then makes self the thread
   that does.  If self does already, because it is in a ClassFileLoadHook of an outer
   redefinition, it does not wait. */
static void
begin(struct thread *self, struct new_version *versions, size_t count)
{
    LOCK(&self->vm->class_mutex);

    for (size_t i = 0; i < count;) {
        const struct thread *other = versions[i++].class->redefining_thread;

        /* class_mutex is released while self waits, so all are looked at anew. */
        if (other && other != self) {
            class_state_wait(self);
            i = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        versions[i].is_nested = versions[i].class->redefining_thread == self;
        versions[i].class->redefining_thread = self;
    }
}

/* Undoes begin: lets waiting threads redefine the classes, but for those that an outer
   redefinition of self still has (is_nested). */
static void
end(struct thread *self, struct new_version *versions, size_t count)
{
    LOCK(&self->vm->class_mutex);

    for (size_t i = 0; i < count; i++)
        if (!versions[i].is_nested)
            versions[i].class->redefining_thread = NULL;
    class_state_changed(self->vm);
}

/* ---- before the exchange ---- */

/* Parses the new class file.  Format checks are those for untrusted files, whatever the
   loader is, since an agent has made it.  On REDEFINE_DONE *file is the caller's. */
static enum redefine_result
parse(struct thread *self, const struct class *c, const struct class_bytes *b,
      struct classfile **file)
{
    const struct vm *vm = self->vm;
    const struct classfile_options options = {
        .expected_name = c->name,
        .max_major = (uint16_t)vm->profile->max_class_major,
        .privileged = c->loader->is_boot || c->loader->is_platform,
        .strict_names = release_has_strict_names(vm->profile->feature),
        .preview = vm->options.enable_preview,
    };
    static const enum redefine_result results[] = {
        [CLASSFILE_FORMAT] = REDEFINE_FORMAT,
        [CLASSFILE_VERSION] = REDEFINE_VERSION,
        [CLASSFILE_WRONG_NAME] = REDEFINE_NAME,
        [CLASSFILE_NO_MEMORY] = REDEFINE_NO_MEMORY
    };
    struct classfile_error error = { 0 };

    *file = classfile_parse(b->bytes, b->length, &options, &error);
    return *file ? REDEFINE_DONE : results[error.kind];
}

/* Logs why verification failed: RedefineClasses only returns an error number, which
   does not tell an agent's author what is wrong. */
static void
log_failure(struct vm *vm, const struct class *c, const struct object *error)
{
    const struct object *text = REF_FIELD(vm, error, Throwable_detailMessage);

    if (log_wanted(LOG_REDEFINE_EXCEPTIONS, LOG_INFO))
        vm_log(LOG_REDEFINE_EXCEPTIONS, LOG_INFO,
               "verify_byte_codes exception: '%s' for %pC%s%pU",
               object_class(error)->name->bytes, c, text ? ": " : "", text);
}

/* Verifies the new class file, also for a class of the boot loader, which linking would
   trust: an agent has made the file, and JVM TI makes no exception.  An exception
   becomes the result; nothing is pending afterwards. */
static enum redefine_result
verify(struct thread *self, struct class *c, const struct classfile *file)
{
    const struct object *error;

    if (c->flags & CLASS_SKIPS_CHECKS || !self->vm->options.verify_remote
        || class_verify(self, c, file))
        return REDEFINE_DONE;
    error = exception_take(self);
    if (error)
        log_failure(self->vm, c, error);
    return error && object_is_instance(error, KC(self->vm, OutOfMemoryError))
               ? REDEFINE_NO_MEMORY
               : REDEFINE_VERIFICATION;
}

/* Sends ClassFileLoadHook, which may replace b->bytes by a file in b->changed, which is
   the caller's to free.  What a hook throws is dropped. */
static void
send_hook(struct thread *self, struct class *c, struct class_bytes *b)
{
    b->redefined = c;
    b->loader = c->loader;
    b->name = c->name->bytes;
    b->protection_domain = REF_FIELD(self->vm, c->layout.mirror,
                                     Class_protectionDomain);
    EVENT_SEND(EVENT_CLASS_FILE_LOAD, class_file_load, self, b);
    exception_take(self);
}

static bool
same_bytes(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, b_length) == 0;
}

/* Returns true if b has the same class file as the current version, and
   retransformation would begin with the same one, too. */
static bool
changes_nothing(const struct cpool *pool, const struct class_bytes *b)
{
    return same_bytes(b->bytes, b->length, pool->file->bytes, pool->file->length)
           && (pool->initial && b->initial ? same_bytes(
                   b->initial, b->initial_length, pool->initial, pool->initial_length)
                                           : pool->initial == b->initial);
}

/* Does all that comes before the exchange for one class.  On REDEFINE_DONE v->pool is
   the new constant pool, which owns the class file; otherwise nothing is left, and
   v->pool is NULL.  v->same is set if the file changes nothing: then there is nothing
   to check either. */
static enum redefine_result
prepare(struct thread *self, struct new_version *v)
{
    struct class *c = v->class;
    const struct cpool *pool = c->pool;
    struct class_bytes b = { .bytes = v->bytes, .length = v->length };
    struct classfile *file = NULL;
    enum redefine_result result;

    /* Retransformation begins with the file that the agents which can retransform saw
       first, so that their changes are not made twice. */
    if (!v->bytes) {
        b.again = true;
        b.bytes = pool->initial ? pool->initial : pool->file->bytes;
        b.length = pool->initial ? pool->initial_length : pool->file->length;
    }
    send_hook(self, c, &b);
    if (b.changed)
        module_transformed(self, c->module);
    v->same = changes_nothing(c->pool, &b) ? c->pool : NULL;
    result = parse(self, c, &b, &file);
    mem_free(b.changed);
    if (result == REDEFINE_DONE && !v->same)
        result = version_check_allowed(c, file);
    if (result == REDEFINE_DONE && !v->same)
        result = verify(self, c, file);
    if (result != REDEFINE_DONE) {
        classfile_free(file);
        mem_free(b.initial);
        return result;
    }
    v->pool = cpool_new(c, file);
    v->pool->entries[file->this_index] = c;
    v->pool->initial = b.initial;
    v->pool->initial_length = b.initial_length;
    return REDEFINE_DONE;
}

/* ---- the exchange: the world is stopped, class_mutex is held ---- */

/* A frame_chain_fn for mark_running; context is the VM. */
static void
mark_chain(void *context, struct thread *t, struct frame *top)
{
    const struct vm *vm = context;

    (void)t;
    for (struct frame *f = top; f; f = f->caller)
        if (!frame_is_entry(f)
            && (f->version->method->class->flags & CLASS_IS_REPLACED))
            f->version->seen_running = vm->redefinitions;
}

/* Marks the versions of methods that frames are running.  The mark is the number of
   this exchange, so marks of earlier ones need not be cleared. */
static void
mark_running(struct vm *vm)
{
    ++vm->redefinitions;
    threads_lock(vm);
    frames_visit_chains(vm, mark_chain, vm);
    threads_unlock(vm);
}

/* Takes the old versions that no frame runs and no id names off the list, and frees
   their translations and frame maps.  The struct stays: backtraces may name it.
   version_prepare makes its start point to a shared instruction again, in place of the
   freed words. */
static void
drop_unused_versions(struct method_version **list)
{
    uint32_t exchange = the_vm->redefinitions;

    while (*list) {
        struct method_version *version = *list;

        if (version->seen_running == exchange || version->id) {
            list = &version->previous;
            continue;
        }
        *list = version->previous;
        version_release(version);
        frame_forget_version(version);
        version_prepare(version);
    }
}

/* Makes m forget its intrinsic, which stood for the old bytecode.  If the new version
   is equivalent the intrinsic is looked up again, else m never has one any more; and
   frames that were about to call it run the old bytecode instead. */
static void
drop_intrinsic(struct method *m, struct method_version *old, bool is_same)
{
    if (is_same) {
        if (m->intrinsic)
            m->flags &= (uint16_t)~METHOD_INTRINSIC_TRIED;
        return;
    }
    m->flags |= METHOD_INTRINSIC_TRIED;
    /* Its first instruction is the one that calls the intrinsic. */
    if (m->intrinsic)
        version_prepare(old);
    m->intrinsic = NULL;
}

/* Makes version, which may be NULL, and all older ones obsolete (JVM TI "Obsolete
   Methods").  Behind one that is obsolete all others are already. */
static void
make_obsolete(struct method_version *version)
{
    for (; version && !version->is_obsolete; version = version->previous)
        version->is_obsolete = true;
}

/*
 * Makes fresh the current version of m, which has a version already unless
 * class_add_method has just made it.  from, of the new class file, describes it, and
 * pool is the new class file's.  If the old version is equivalent it does not become
 * obsolete; that of a deleted method never is: it has no code, as abstract methods
 * have none, but calls of it throw.  The release order lets other threads find fresh
 * complete, once they run again.
 */
static void
replace_version(struct method *m, struct method_version *fresh,
                const struct cf_method *from, struct cpool *pool)
{
    struct method_version *old = method_version(m);
    bool is_same = old && !(m->flags & METHOD_DELETED)
                   && version_is_equivalent(old, pool->file, from);

    if (!is_same)
        make_obsolete(old);
    m->flags = (uint16_t)((m->flags & ~(METHOD_MARKS | METHOD_DELETED))
                          | (from->vm_annotations & METHOD_MARKS));
    if (old)
        drop_intrinsic(m, old, is_same);
    version_init(fresh, m, from, pool);
    fresh->previous = old;
    drop_unused_versions(&fresh->previous);
    atomic_store_explicit(&m->version, fresh, memory_order_release);
}

/* Deletes m, which the new class file does not have.  A call of it throws
   NoSuchMethodError: because of METHOD_DELETED version_prepare, which version_init
   calls, begins the new version with the instruction word that throws it, also for a
   native method.  Frames that run the method go on in the old version.  info describes
   the method in place of the new class file. */
static void
delete_method(struct method *m)
{
    struct arena *arena = &m->class->arena;
    struct method_version *deleted = arena_calloc(arena, 1, sizeof *deleted);
    struct method_version *old = method_version(m);
    struct cf_method *info = arena_calloc(arena, 1, sizeof *info);

    make_obsolete(old);
    drop_intrinsic(m, old, false);
    m->flags |= METHOD_DELETED;
    m->native = NULL;
    *info = (struct cf_method){
        .name = m->name,
        .descriptor = m->descriptor,
        .arg_slots = m->arg_slots,
        .access_flags = m->access_flags,
        .signature = old->info->signature,
    };
    version_init(deleted, m, info, old->pool);
    deleted->is_obsolete = true;
    deleted->previous = old;
    drop_unused_versions(&deleted->previous);
    atomic_store_explicit(&m->version, deleted, memory_order_release);
}

/* Returns the method of c that the class file's method is a version of: one with that
   name and descriptor, which may have been deleted before, or a new one. */
static struct method *
method_to_replace(struct vm *vm, struct class *c, const struct cf_method *from)
{
    struct method *m = class_own_method(c, from->name, from->descriptor);

    for (uint32_t i = 0; !m && i < c->method_count; i++)
        if (class_method(c, i)->name == from->name
            && class_method(c, i)->descriptor == from->descriptor
            && class_method(c, i)->access_flags == from->access_flags)
            m = class_method(c, i);
    return m ? m : class_add_method(vm, c, from);
}

/* Sorts the direct superinterfaces of c as the new class file has them: the names are
   the same (version_check_allowed), their order may differ. */
static void
order_interfaces(struct class *c, const struct classfile *file)
{
    for (uint32_t i = 0; i < c->interface_count; i++)
        for (uint32_t j = i; j < c->interface_count; j++)
            if (c->interfaces[j]->name == cf_name(file, file->interfaces[i])) {
                struct class *found = c->interfaces[j];

                c->interfaces[j] = c->interfaces[i];
                c->interfaces[i] = found;
            }
}

/*
 * Makes v the current version of its class.  If the class file is the same as before,
 * nothing is done: tools often retransform all classes to change a few.
 *
 * v->same is compared with the current pool again, since a redefinition from within a
 * ClassFileLoadHook may have replaced that after prepare looked; then the exchange is
 * made.  CLASS_IS_REPLACED is set again, since versions may name a class twice and the
 * first may have cleared it.
 */
static void
replace(struct vm *vm, struct new_version *v)
{
    struct class *c = v->class;
    const struct classfile *file = v->pool->file;
    struct method_version *fresh;

    if (v->same == c->pool) {
        c->flags &= (uint16_t)~CLASS_IS_REPLACED;
        return;
    }
    v->same = NULL;
    c->flags |= CLASS_IS_REPLACED;
    fresh = arena_calloc(&c->arena, file->method_count + 1u, sizeof *fresh);
    for (unsigned i = 0; i < file->method_count; i++) {
        const struct cf_method *from = &file->methods[i];

        replace_version(method_to_replace(vm, c, from), &fresh[i], from, v->pool);
    }
    /* A method that did not get a version of the new pool is not in the file.  There
       are such methods only if the class has more than the file. */
    for (uint32_t i = 0; c->method_count > file->method_count && i < c->method_count;
         i++) {
        struct method *m = class_method(c, i);

        if (!(m->flags & METHOD_DELETED) && method_version(m)->pool != v->pool)
            delete_method(m);
    }
    order_interfaces(c, file);
    annotation_number_pool(v->pool, c->pool);
    v->pool->previous = c->pool;
    c->pool = v->pool;
    c->source_file = file->source_file;
}

/* Returns true if c or one of its supertypes is replaced in this exchange. */
static bool
inherits_replaced(const struct class *c)
{
    for (const struct class *s = c; s; s = s->super)
        if (s->flags & CLASS_IS_REPLACED)
            return true;
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i]->flags & CLASS_IS_REPLACED)
            return true;
    return false;
}

/* For classes_visit: counts Class.classRedefinedCount of c up if it or a supertype is
   replaced, which makes java.lang.Class drop its cached reflection data.  Subclasses
   have inherited methods in theirs. */
static void
count_version(void *context, struct class *c)
{
    const struct vm *vm = context;

    if (c->layout.mirror && inherits_replaced(c))
        INT_FIELD(vm, c->layout.mirror, Class_classRedefinedCount)++;
}

/* The exchange, after prepare has succeeded for all: stops the world and replaces every
   class.  It cannot fail.  A pool that was not needed, since its class stayed the same,
   is freed when the world runs again. */
static void
replace_all(struct thread *self, struct new_version *versions, size_t count,
            void (*replacing)(struct thread *self, struct class *c))
{
    struct vm *vm = self->vm;

    world_stop(self, "redefinition");
    for (size_t i = 0; i < count; i++)
        versions[i].class->flags |= CLASS_IS_REPLACED;
    mark_running(vm);
    for (size_t i = 0; i < count; i++)
        replacing(self, versions[i].class);
    mutex_lock(&vm->class_mutex);
    for (size_t i = 0; i < count; i++) {
        replace(vm, &versions[i]);
        history_add(HISTORY_REDEFINED, "Redefined class %s",
                    versions[i].class->name->bytes);
    }
    mutex_unlock(&vm->class_mutex);
    for (size_t i = 0; i < count; i++)
        if (!versions[i].same)
            intrinsics_class_changed(vm, versions[i].class);
    classes_visit(vm, WITHOUT_ARRAYS, count_version, vm);
    for (size_t i = 0; i < count; i++)
        versions[i].class->flags &= (uint16_t)~CLASS_IS_REPLACED;
    world_resume(self);
    for (size_t i = 0; i < count; i++)
        if (versions[i].same)
            cpool_free(versions[i].pool);
}

enum redefine_result
classes_redefine(struct thread *self, struct new_version *versions, size_t count,
                 void (*replacing)(struct thread *self, struct class *c))
{
    enum redefine_result result = REDEFINE_DONE;
    size_t done = 0;
    HANDLE_SCOPE(self);
    struct object *pending = handle_new(self, exception_take(self));

    begin(self, versions, count);
    while (result == REDEFINE_DONE && done < count)
        result = prepare(self, &versions[done++]);
    if (result == REDEFINE_DONE)
        replace_all(self, versions, count, replacing);
    else
        while (done-- > 0)
            if (versions[done].pool)
                cpool_free(versions[done].pool);
    end(self, versions, count);
    self->exception = pending;
    return result;
}
