/* SPDX-License-Identifier: MIT */
/* minivm/base/place.h -- what stands at an address: library, function.
 *
 * The mappings are read from the kernel and the names from the library's file: its
 * symbol table, which has static functions too, or else its dynamic one.  So no lock of
 * the dynamic linker is taken and nothing is allocated: a signal handler may call. */
#ifndef MINIVM_BASE_PLACE_H
#define MINIVM_BASE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct place {
    bool is_mapped, is_readable, is_executable, is_writable;
    uintptr_t start, end;          /* of the mapping */
    char file[512];                /* its file, "[stack]" and the like, or "" */
    uintptr_t offset;              /* in the file's own addresses, as addr2line takes
                                      them; from start where there is no file */
    char symbol[192];              /* the function, or "" */
    uintptr_t symbol_offset;
};

/* Fill in everything but the symbol; false when nothing is mapped there. */
bool place_find(uintptr_t address, struct place *p);
/* The same with the symbol. */
bool place_find_symbol(uintptr_t address, struct place *p);
/* The file's name without its folders. */
const char *place_library(const struct place *p);

#endif
