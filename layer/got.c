/* SPDX-License-Identifier: MIT */
/*
 * layer/got.c -- has calls of malloc(), free(), C++'s operator delete and the like in the
 * agent's library come by, so that memory of JVM TI among what it frees is seen, and how
 * large the buffers are that it hands over.
 *
 * A library calls functions of others through slots that the dynamic linker fills; the
 * library's relocations tell which slot belongs to which name.  Only those of the agent
 * are changed: the VM and all other libraries keep theirs.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "layer/arena.h"
#include "layer/check.h"
#include "layer/page.h"

/* The last blocks that the agent got, by their address; a newer one takes the place of an
   older.  The size is written first and the address last, so that one that is found with
   the address before and after the size was read belongs to it. */
#define KNOWN 8192
static struct {
    uintptr_t address;
    size_t size;
} known[KNOWN];

static size_t
index_of(const void *pointer)
{
    return ((uintptr_t)pointer >> 4) * 2654435761u % KNOWN;
}

static void
forget(const void *pointer)
{
    size_t i = index_of(pointer);
    uintptr_t address = (uintptr_t)pointer;

    __atomic_compare_exchange_n(&known[i].address, &address, 0, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
}

static void *
note(void *pointer, size_t size)
{
    size_t i = index_of(pointer);

    if (pointer != NULL) {
        __atomic_store_n(&known[i].address, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&known[i].size, size, __ATOMIC_RELEASE);
        __atomic_store_n(&known[i].address, (uintptr_t)pointer, __ATOMIC_RELEASE);
    }
    return pointer;
}

size_t
got_size(const void *pointer)
{
    size_t i = index_of(pointer), size;

    if (__atomic_load_n(&known[i].address, __ATOMIC_ACQUIRE) != (uintptr_t)pointer)
        return 0;
    size = __atomic_load_n(&known[i].size, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&known[i].address, __ATOMIC_ACQUIRE) == (uintptr_t)pointer
        ? size : 0;
}

static void *
checked_malloc(size_t size)
{
    return note(malloc(size), size);
}

static void *
checked_calloc(size_t count, size_t size)
{
    return note(calloc(count, size), count * size);
}

/* Memory of JVM TI, or characters or elements that JNI gave. */
static bool
is_of_vm(const char *function, void *pointer, void *copy, size_t size)
{
    return memory_freed_by_agent(function, pointer, copy, size)
        || elements_freed_by_agent(function, pointer, copy, size);
}

/* What is freed keeps its contents: an address of JVM TI's memory in it would hide at the
   exit that the memory was lost with what is freed here. */
#define MOST_CLEARED 65536u

static void
clear(void *pointer, size_t size)
{
    uintptr_t *words = pointer;

    for (size_t i = 0; i < size / sizeof *words && i < MOST_CLEARED / sizeof *words; i++)
        if (arena_has(words[i]) || page_is_ours((void *)words[i]))
            words[i] = 0;
}

static void
free_cleared(void *pointer)
{
    if (pointer != NULL)
        clear(pointer, malloc_usable_size(pointer));
    free(pointer);
}

/* The same as realloc(), but that the old memory is cleared. */
static void *
move(void *pointer, size_t size)
{
    size_t old = pointer != NULL ? malloc_usable_size(pointer) : 0;
    void *copy;

    if (old == 0 || old > MOST_CLEARED || size == 0)
        return realloc(pointer, size);
    if (size <= old && size > old / 2)
        return pointer;
    copy = malloc(size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, pointer, size < old ? size : old);
    free_cleared(pointer);
    return copy;
}

static void
checked_free(void *pointer)
{
    forget(pointer);
    if (pointer == NULL || !is_of_vm("free", pointer, NULL, 0))
        free_cleared(pointer);
}

/* Memory of JVM TI becomes that of malloc(), with what is in it as far as it is known. */
static void *
checked_realloc(void *pointer, size_t size)
{
    void *copy = pointer != NULL && size > 0 ? calloc(1, size) : NULL;

    forget(pointer);
    if (copy == NULL || !is_of_vm("realloc", pointer, copy, size)) {
        free(copy);
        return note(move(pointer, size), size);
    }
    return note(copy, size);
}

/* C++'s operators by the names that the Itanium ABI gives them: delete and delete[], without
   and with the size.  What they do otherwise, where it is known; agents with other ones
   than the first agent's keep them. */
enum { DELETE, DELETE_SIZED, DELETE_ARRAY, DELETE_ARRAY_SIZED, DELETES };
static union {
    void *address;
    void (*plain)(void *pointer);
    void (*sized)(void *pointer, size_t size);
} deletes[DELETES];
static bool is_standard[DELETES];       /* the C++ library's, which calls free() */

static void
delete_plain(int operator, void *pointer)
{
    if (pointer != NULL && is_standard[operator])
        clear(pointer, malloc_usable_size(pointer));
    deletes[operator].plain(pointer);
}

static void
delete_sized(int operator, void *pointer, size_t size)
{
    if (pointer != NULL)
        clear(pointer, size);
    deletes[operator].sized(pointer, size);
}

static void
checked_delete(void *pointer)
{
    if (pointer == NULL || !is_of_vm("delete", pointer, NULL, 0))
        delete_plain(DELETE, pointer);
}

static void
checked_delete_sized(void *pointer, size_t size)
{
    if (pointer == NULL || !is_of_vm("delete", pointer, NULL, 0))
        delete_sized(DELETE_SIZED, pointer, size);
}

static void
checked_delete_array(void *pointer)
{
    if (pointer == NULL || !is_of_vm("delete[]", pointer, NULL, 0))
        delete_plain(DELETE_ARRAY, pointer);
}

static void
checked_delete_array_sized(void *pointer, size_t size)
{
    if (pointer == NULL || !is_of_vm("delete[]", pointer, NULL, 0))
        delete_sized(DELETE_ARRAY_SIZED, pointer, size);
}

/* Ours for the operator, if the name is one's; 0 for other names.  The slot may not have
   been filled yet, so the original is looked for as the dynamic linker does it. */
static uintptr_t
delete_for(const struct check_agent *agent, const char *name)
{
    static const struct {
        const char *name;
        uintptr_t ours;
    } all[DELETES] = {
        [DELETE] = { "_ZdlPv", (uintptr_t)checked_delete },
        [DELETE_SIZED] = { "_ZdlPvm", (uintptr_t)checked_delete_sized },
        [DELETE_ARRAY] = { "_ZdaPv", (uintptr_t)checked_delete_array },
        [DELETE_ARRAY_SIZED] = { "_ZdaPvm", (uintptr_t)checked_delete_array_sized },
    };

    for (int i = 0; i < DELETES; i++) {
        void *original;
        Dl_info info;

        if (strcmp(name, all[i].name) != 0)
            continue;
        original = dlsym(RTLD_DEFAULT, name);
        if (original == NULL)
            original = dlsym(agent->library, name);
        if (deletes[i].address == NULL && original != NULL) {
            deletes[i].address = original;
            is_standard[i] = dladdr(original, &info) != 0
                && strstr(info.dli_fname, "/libstdc++.so") != NULL;
        }
        return original != NULL && deletes[i].address == original ? all[i].ours : 0;
    }
    return 0;
}

static bool
is_jump(const char *name)
{
    return strcmp(name, "siglongjmp") == 0 || strcmp(name, "longjmp") == 0
        || strcmp(name, "_longjmp") == 0 || strcmp(name, "__longjmp_chk") == 0;
}

static void
redirect_slot(const struct check_agent *agent, uintptr_t *slot, const char *name)
{
    uintptr_t target = strcmp(name, "free") == 0 ? (uintptr_t)checked_free
        : strcmp(name, "realloc") == 0           ? (uintptr_t)checked_realloc
        : strcmp(name, "malloc") == 0            ? (uintptr_t)checked_malloc
        : strcmp(name, "calloc") == 0            ? (uintptr_t)checked_calloc
        : strcmp(name, "sigaction") == 0         ? (uintptr_t)signal_checked_sigaction
        : strcmp(name, "signal") == 0            ? (uintptr_t)signal_checked_signal
        : is_jump(name)                          ? (uintptr_t)signal_checked_longjmp
                                                 : delete_for(agent, name);
    uintptr_t page = (uintptr_t)slot & -(uintptr_t)sysconf(_SC_PAGESIZE);

    /* The slot may have been made read-only once it was filled. */
    if (target != 0
        && mprotect((void *)page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE)
            == 0)
        __atomic_store_n(slot, target, __ATOMIC_RELEASE);
}

static bool
is_slot(const ElfW(Rela) *relocation)
{
    unsigned long type = ELF64_R_TYPE(relocation->r_info);

#ifdef __x86_64__
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#else
    return false;
#endif
}

/* What the library's dynamic section tells. */
struct dynamic {
    const ElfW(Sym) *symbols;
    const char *names;
    struct {
        const ElfW(Rela) *first;
        size_t size;
    } relocations[2];
};

static void
read_dynamic(const ElfW(Dyn) *entry, struct dynamic *d)
{
    for (; entry->d_tag != DT_NULL; entry++)
        switch (entry->d_tag) {
        case DT_SYMTAB: d->symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: d->names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: d->relocations[0].first = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: d->relocations[0].size = entry->d_un.d_val; break;
        case DT_RELA: d->relocations[1].first = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: d->relocations[1].size = entry->d_un.d_val; break;
        default: break;
        }
}

void
got_redirect(const struct check_agent *agent)
{
    struct dynamic d = { 0 };
    struct link_map *map;

    if (dlinfo(agent->library, RTLD_DI_LINKMAP, &map) != 0)
        return;
    read_dynamic(map->l_ld, &d);
    for (int i = 0; i < 2 && d.symbols != NULL && d.names != NULL; i++)
        for (size_t k = 0; d.relocations[i].first != NULL
                           && k < d.relocations[i].size / sizeof(ElfW(Rela)); k++) {
            const ElfW(Rela) *r = &d.relocations[i].first[k];

            if (is_slot(r))
                redirect_slot(agent, (uintptr_t *)(map->l_addr + r->r_offset),
                              d.names + d.symbols[ELF64_R_SYM(r->r_info)].st_name);
        }
}
