/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/boot_path.c -- where the boot loader finds class files.
 *
 * A class is looked for in its package's module: first in the patches of that module,
 * then in the image lib/modules.  Classes of no module are looked for in the appended
 * entries. Until java.base is defined it is not known which packages it has, so
 * everything is looked for in both.
 */

#include "linking/boot_path.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/os.h"
#include "base/zip.h"
#include "linking/module.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- the path ---- */

/* An entry that -Xbootclasspath/a, --patch-module or JVM TI has added. */
struct boot_entry {
    char *path;
    struct zip *zip;             /* NULL: a directory */
    const struct symbol *module; /* the module that it patches; NULL: it is appended */
};

/* Writers hold class_mutex; readers take no lock. */
struct boot_path {
    struct boot_entry *_Atomic entries;
    _Atomic uint32_t entry_count;
};

/*
 * Adds an entry for the directory or archive at path; module is the name of the module
 * that it patches, or NULL.  Returns false with the reason in *error if path is
 * neither.
 *
 * The entries are copied to a new array.  Readers take no lock and may go on with the
 * old array, so that is never freed; it is small.  A reader loads the count before the
 * array, and here the array is stored before the count: so each array that it meets has
 * at least as many entries.
 */
static bool
add_entry(struct vm *vm, const struct symbol *module, const char *path, char **error)
{
    struct boot_path *p = vm->boot_path;
    struct boot_entry entry = { .module = module }, *entries;
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        entry.zip = zip_open(path, error);
        if (!entry.zip)
            return false;
    }
    entry.path = mem_strdup(path);
    LOCK(&vm->class_mutex);
    entries = mem_calloc(p->entry_count + 1, sizeof *entries);
    for (uint32_t i = 0; i < p->entry_count; i++)
        entries[i] = p->entries[i];
    entries[p->entry_count] = entry;
    p->entries = entries;
    p->entry_count++;
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
    const struct boot_path *p = vm->boot_path;

    if (index < 0 || (uint32_t)index >= p->entry_count)
        return NULL;
    return p->entries[index].path;
}

/* Adds the paths of a list that ':' separates.  One that does not exist is left out, as
   in a class path. */
static void
add_entries(struct vm *vm, const struct symbol *module, const char *list)
{
    char *copy = mem_strdup(list), *rest = copy, *path;

    while ((path = strsep(&rest, ":")) != NULL)
        if (*path)
            (void)add_entry(vm, module, path, NULL);
    mem_free(copy);
}

/* Adds the entries of a --patch-module option: module=path:path. */
static void
add_patch(struct vm *vm, const char *value)
{
    const char *list = strchrnul(value, '=');

    add_entries(vm, symbol_intern(value, (size_t)(list - value)),
                list + (*list == '='));
}

/* The option parser has made a property jdk.module.patch.N of each --patch-module. */
void
boot_path_init(struct vm *vm)
{
    static const char patch[] = "jdk.module.patch.";

    vm->boot_path = mem_calloc(1, sizeof *vm->boot_path);
    if (vm->options.boot_append)
        add_entries(vm, NULL, vm->options.boot_append);
    for (const struct system_property *p = vm->options.properties; p; p = p->next)
        if (strncmp(p->key, patch, sizeof patch - 1) == 0)
            add_patch(vm, p->value);
}

/* ---- finding a class ---- */

/* The functions find_in_... fill *found and return true if they find the file, whose
   name is that of the class with ".class" behind it, relative to the root of the entry.
   A file that cannot be read counts as missing, and the search goes on. */
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

/* Looks in the entries that patch module, or, if that is NULL, in the appended ones. */
static bool
find_in_entries(const struct boot_path *p, const struct symbol *module,
                const char *file, struct boot_bytes *found)
{
    /* Read before the array, which has at least as many entries then (add_entry). */
    uint32_t count = p->entry_count;

    for (uint32_t i = 0; i < count; i++)
        if (p->entries[i].module == module
            && find_in_entry(&p->entries[i], file, found)) {
            found->path_index = module ? -1 : (int32_t)i;
            return true;
        }
    return false;
}

/* Looks in the patches of the module of that name, which take precedence, then in the
   image of the class library, where a module's files stand in a folder of its own. */
static bool
find_in_module(struct vm *vm, const struct symbol *module, const char *file,
               struct boot_bytes *found)
{
    struct jimage_location location;

    if (find_in_entries(vm->boot_path, module, file, found))
        return true;
    if (!jimage_find(vm->modules, module->bytes, file, &location)
        || !jimage_read(vm->modules, &location, &found->image, NULL))
        return false;
    found->bytes = found->image.bytes;
    found->length = found->image.length;
    found->source = mem_printf("jrt:/%s", module->bytes);
    return true;
}

/* Returns the name of the boot loader's module that has the package of the class of
   that name, or NULL for its unnamed module and unknown packages.  Until java.base is
   defined, returns the name of java.base for every class. */
static const struct symbol *
module_of_class(struct vm *vm, const struct symbol *name)
{
    const char *end = strrchr(name->bytes, '/');
    const struct symbol *package;
    const struct package *p;

    if (!vm->java_base->object)
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
    /* Classes of the unnamed module are in appended entries.  While java.base is not
       defined, module is always its name, so both places are tried. */
    if (!yes && (!module || !vm->java_base->object))
        yes = find_in_entries(vm->boot_path, NULL, file, found);
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
