/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/mem.h -- native memory.
 *
 * Any thread may call these functions; nothing here stops or collects.
 */
#ifndef MINIVM_BASE_MEM_H
#define MINIVM_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

/*
 * There are two families of functions with one allocator.  The plain functions never
 * return NULL: without memory they end the process with a message that has the number
 * of bytes (base/log.h "out_of_memory").  They serve what the VM cannot go on without.
 * The mem_try functions return NULL instead, and serve what can be answered with an
 * OutOfMemoryError or with JVMTI_ERROR_OUT_OF_MEMORY.  All results are freed by
 * mem_free, never by free.  A size of zero gives a pointer of its own, too.
 *
 * A build with TIFORGE_MALLOC_FAIL defined reads the environment variable
 * TIFORGE_FAIL_NTH once; if it is N > 0, every Nth call of the mem_try family in the
 * process fails.
 */
void *mem_alloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *mem_calloc(size_t count, size_t size)
    __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
void *mem_realloc(void *old, size_t size)
    __attribute__((alloc_size(2), returns_nonnull));
char *mem_strdup(const char *text) __attribute__((malloc, returns_nonnull));
/* Copies at most length bytes of text, up to its NUL, and adds a NUL. */
char *mem_strndup(const char *text, size_t length)
    __attribute__((malloc, returns_nonnull));
char *mem_printf(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *mem_vprintf(const char *format, va_list args)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/* On failure mem_try_realloc leaves old as it was. */
void *mem_try_alloc(size_t size) __attribute__((malloc, alloc_size(1)));
void *mem_try_calloc(size_t count, size_t size)
    __attribute__((malloc, alloc_size(1, 2)));
void *mem_try_realloc(void *old, size_t size) __attribute__((alloc_size(2)));
char *mem_try_strdup(const char *text) __attribute__((malloc));

/* NULL is allowed. */
void mem_free(void *block);

#endif
