/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/symbolize.h -- which library, and which function in it, a native address
 * belongs to.
 *
 * The crash report turns return addresses into names with these functions, so they must
 * work in a signal handler of a process whose heap and locks are in any state.  They
 * ask the kernel for the mappings (/proc/self/maps) and read the names from the
 * library's file: from its symbol table, which has static functions too, or else from
 * its dynamic one.  So they take no lock of the dynamic linker (as dladdr does) and
 * allocate nothing.  Each call reads everything again, since the process may change.
 */
#ifndef MINIVM_BASE_SYMBOLIZE_H
#define MINIVM_BASE_SYMBOLIZE_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of an address. */
struct symbolized {
    bool is_mapped, is_readable, is_executable, is_writable;
    /* The mapping is [start, end). */
    uintptr_t start, end;
    /* The path of the mapped file, "[stack]" and the like, or "". */
    char file[512];
    /* The address as the file itself numbers it, which addr2line takes; without a file
       the distance from start. */
    uintptr_t offset;
    /* The function that the address lies in, or "". */
    char symbol[192];
    /* The distance from the function's beginning, in bytes. */
    uintptr_t symbol_offset;
};

/* Stores all that is known of the address in *s; returns false when nothing is mapped
   there. */
bool symbolize(uintptr_t address, struct symbolized *s);
/* Stores in *s all that is known of the address but the symbol, which takes the most
   time; returns false when nothing is mapped there. */
bool symbolize_mapping(uintptr_t address, struct symbolized *s);
/* Returns the name of the mapped file without its folders; part of *s. */
const char *symbolize_library(const struct symbolized *s);

#endif
