/* SPDX-License-Identifier: MIT */
/* minivm/vm/boot.c -- the boot loader's path, and the first classes. */

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/os.h"
#include "base/zip.h"
#include "vm/exception.h"
#include "vm/registry.h"

/* ---- the path ---- */

/* Readers go on with the array that they found; it is small and stays. */
static bool
add_entry(struct vm *vm, const struct symbol *module, const char *path, char **error)
{
    struct class_registry *r = vm->registry;
    struct boot_entry entry = { .module = module }, *entries;
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        entry.zip = zip_open(path, error);
        if (entry.zip == NULL)
            return false;
    }
    entry.path = mem_strdup(path);
    LOCK(&vm->class_mutex);
    entries = mem_calloc(r->boot_entry_count + 1, sizeof *entries);
    for (uint32_t i = 0; i < r->boot_entry_count; i++)
        entries[i] = r->boot_entries[i];
    entries[r->boot_entry_count] = entry;
    r->boot_entries = entries;
    r->boot_entry_count++;
    return true;
}

bool
boot_append(struct vm *vm, const char *path, char **error)
{
    return add_entry(vm, NULL, path, error);
}

const char *
boot_source(const struct vm *vm, int32_t index)
{
    const struct class_registry *r = vm->registry;

    if (index < 0 || (uint32_t)index >= r->boot_entry_count)
        return NULL;
    return r->boot_entries[index].path;
}

/* The paths of a list that ':' separates; one that is not there is passed over, as a
   class path's is. */
static void
add_entries(struct vm *vm, const struct symbol *module, const char *list)
{
    char *copy = mem_strdup(list), *rest = copy, *path;

    while ((path = strsep(&rest, ":")) != NULL)
        if (*path)
            (void)add_entry(vm, module, path, NULL);
    mem_free(copy);
}

/* value: module=path:path */
static void
add_patch(struct vm *vm, const char *value)
{
    const char *list = strchrnul(value, '=');

    add_entries(vm, symbol_intern(value, (size_t)(list - value)),
                list + (*list == '='));
}

void
boot_init(struct vm *vm)
{
    static const char patch[] = "jdk.module.patch.";

    if (vm->options.boot_append)
        add_entries(vm, NULL, vm->options.boot_append);
    for (const struct system_property *p = vm->options.properties; p; p = p->next)
        if (strncmp(p->key, patch, sizeof patch - 1) == 0)
            add_patch(vm, p->value);
}

/* ---- finding a class ---- */

static bool
find_in_directory(const struct boot_entry *entry, const char *file,
                  struct boot_bytes *found)
{
    char *path = mem_printf("%s/%s", entry->path, file);

    found->owned = os_read_file(path, &found->length, NULL);
    mem_free(path);
    found->bytes = found->owned;
    return found->owned != NULL;
}

static bool
find_in_zip(const struct boot_entry *entry, const char *file, struct boot_bytes *found)
{
    struct zip_entry at;
    uint8_t *bytes;

    if (!zip_find(entry->zip, file, strlen(file), &at)
        || !zip_read(entry->zip, &at, &bytes, &found->length, NULL))
        return false;
    found->bytes = found->owned = bytes;
    return true;
}

static bool
find_in_entry(const struct boot_entry *entry, const char *file,
              struct boot_bytes *found)
{
    if (entry->zip ? !find_in_zip(entry, file, found)
                   : !find_in_directory(entry, file, found))
        return false;
    found->source = mem_strdup(entry->path);
    return true;
}

/* In the entries that patch module, in the appended ones when that is NULL. */
static bool
find_in_entries(struct class_registry *r, const struct symbol *module, const char *file,
                struct boot_bytes *found)
{
    uint32_t count = r->boot_entry_count;

    for (uint32_t i = 0; i < count; i++)
        if (r->boot_entries[i].module == module
            && find_in_entry(&r->boot_entries[i], file, found)) {
            found->path_index = module ? -1 : (int32_t)i;
            return true;
        }
    return false;
}

static bool
find_in_module(struct vm *vm, const struct symbol *module, const char *file,
               struct boot_bytes *found)
{
    struct jimage_location location;

    if (find_in_entries(vm->registry, module, file, found))
        return true;
    if (!jimage_find(vm->modules, module->bytes, file, &location)
        || !jimage_read(vm->modules, &location, &found->image, NULL))
        return false;
    found->bytes = found->image.bytes;
    found->length = found->image.length;
    found->source = mem_printf("jrt:/%s", module->bytes);
    return true;
}

/* The named module of the boot loader that has the class's package.  Until modules
   are defined everything is in java.base. */
static const struct symbol *
module_of_class(struct vm *vm, const struct symbol *name)
{
    const char *end = strrchr(name->bytes, '/');
    const struct symbol *package;
    const struct package *p;

    if (vm->java_base->object == NULL)
        return vm->java_base->name;
    package = symbol_intern(name->bytes, end ? (size_t)(end - name->bytes) : 0);
    p = package_find(vm->boot_loader, package);
    return p ? p->module->name : NULL;
}

bool
boot_find(struct vm *vm, const struct symbol *name, struct boot_bytes *found)
{
    const struct symbol *module = module_of_class(vm, name);
    char *file = mem_printf("%s.class", name->bytes);
    bool yes;

    *found = (struct boot_bytes){ .path_index = -1 };
    yes = module && find_in_module(vm, module, file, found);
    if (!yes && (module == NULL || vm->java_base->object == NULL))
        yes = find_in_entries(vm->registry, NULL, file, found);
    mem_free(file);
    return yes;
}

void
boot_bytes_release(struct boot_bytes *found)
{
    if (found->image.bytes)
        jimage_data_release(&found->image);
    mem_free(found->owned);
    mem_free(found->source);
}

/* ---- the first classes ---- */

static uint32_t
static_runs(const struct layout *layout, const struct reference_run **runs)
{
    const struct class *c = (const struct class *)layout;

    *runs = c->static_runs;
    return c->static_run_count;
}

static bool
make_mirrors(struct thread *self)
{
    struct vm *vm = self->vm;

    for (struct class *c = vm->boot_loader->defined; c; c = c->next_in_loader)
        class_lay_out_statics(vm, c);
    heap_set_mirrors(vm->heap, KF(vm, Class_vmClass), static_runs);
    vm->registry->is_booted = true;
    for (struct class *c = vm->boot_loader->defined; c; c = c->next_in_loader) {
        if (!class_make_mirror(self, c, NULL, NULL))
            return false;
        /* Static offsets were not known when the class was first looked at. */
        known_resolve_class(vm, c);
    }
    return true;
}

static bool
make_primitives(struct thread *self)
{
    struct known *known = &self->vm->known;

    for (const char *type = "ZCFDBSIJV"; *type; type++) {
        struct class *c = class_make_primitive(self, *type);

        if (!class_make_mirror(self, c, NULL, NULL))
            return false;
        known->primitives[*type - 'A'] = c;
        if (*type == 'V')
            continue;
        known->primitive_arrays[*type - 'A'] = class_array_of(self, c);
        if (known->primitive_arrays[*type - 'A'] == NULL)
            return false;
    }
    return true;
}

static bool
load_known(struct thread *self)
{
    struct vm *vm = self->vm;

    for (unsigned i = 0; i < KNOWN_CLASSES_AHEAD; i++)
        if (vm->profile->class_names[i]
            && known_class(self, (enum known_class)i) == NULL)
            return false;
    vm->known.object_array = class_array_of(self, KC(vm, Object));
    vm->known.class_array = class_array_of(self, KC(vm, Class));
    return vm->known.object_array && vm->known.class_array;
}

static void
tell_heap(struct vm *vm)
{
    struct heap_reference_fields fields = {
        .referent = KF(vm, Reference_referent),
        .queue = KF(vm, Reference_queue),
        .next = KF(vm, Reference_next),
        .discovered = KF(vm, Reference_discovered),
        .timestamp = KF(vm, SoftReference_timestamp),
        .clock = object_at(KC(vm, SoftReference)->layout.mirror,
                           KF(vm, SoftReference_clock)),
    };

    heap_set_reference_fields(vm->heap, &fields);
}

/* The first class of those that have to be there that is not. */
static const char *
missing_class(const struct vm *vm)
{
    static const enum known_class before[] = { KNOWN_CLASS_Object,
                                               KNOWN_CLASS_Cloneable,
                                               KNOWN_CLASS_Class };

    for (unsigned i = 0; i < sizeof before / sizeof *before; i++)
        if (!vm->known.classes[before[i]])
            return vm->profile->class_names[before[i]];
    for (unsigned i = 0; i < KNOWN_CLASSES_AHEAD; i++)
        if (vm->profile->class_names[i] && !vm->known.classes[i])
            return vm->profile->class_names[i];
    return "the first arrays";
}

bool
classes_boot(struct thread *self, char **error)
{
    const char *reason = exception_first();

    if (known_class(self, KNOWN_CLASS_Object)
        && known_class(self, KNOWN_CLASS_Cloneable)
        && known_class(self, KNOWN_CLASS_Class) && make_mirrors(self)
        && make_primitives(self) && load_known(self)) {
        tell_heap(self->vm);
        return true;
    }
    self->exception = NULL;
    *error = mem_printf("cannot load %s from '%s/lib/modules'%s%s",
                        missing_class(self->vm), self->vm->options.java_home,
                        *reason ? ": " : "", reason);
    return false;
}
