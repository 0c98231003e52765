/* SPDX-License-Identifier: MIT */
/* minivm/base/os.h -- the operating system: time, memory, files, libraries. */
#ifndef MINIVM_BASE_OS_H
#define MINIVM_BASE_OS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where a function takes char **error, it stores there on failure why, for a
 * reader, without the name of the file; the caller owns the text (mem_free).
 * error may be NULL.
 */

/* Nanoseconds: since some fixed moment, never going back; and since 1970. */
int64_t os_nanos(void);
int64_t os_wall_nanos(void);
/* Nanoseconds of processor time: this thread, this thread in user mode only. */
int64_t os_thread_cpu_nanos(void);
int64_t os_thread_user_nanos(void);
/* Of a thread that has not been joined; -1 when the system declines. */
int64_t os_thread_cpu_nanos_of(pthread_t thread);

size_t os_page_size(void);
/*
 * Processors that this process may run on, at least 1: its affinity, and the
 * quota of its control groups (version 2).
 */
int os_processor_count(void);
/* Bytes of memory, at most the limit of the process's control group. */
uint64_t os_physical_memory(void);

/*
 * size, or the given part of the address space that the process may have (ulimit -v)
 * if that is less: what to reserve for something that needs no more as a rule.
 */
size_t os_reservable(size_t size, unsigned part);
/*
 * Where address space is limited, let malloc reserve none for each thread (64 MB in
 * glibc).  To be called while there is one thread.
 */
void os_share_malloc(void);
/*
 * Address space without memory behind it; size is rounded up to pages.  NULL
 * when there is none.  os_reserve_low's range ends at or below 4 GiB, so that
 * 32 bits address all of it.
 */
void *os_reserve(size_t size);
void *os_reserve_low(size_t size);
/* Like os_reserve; alignment is a power of two. */
void *os_reserve_aligned(size_t size, size_t alignment);
/*
 * Memory (zeroed when it is new) for whole pages of a reserved range; false
 * when the system declines.
 */
bool os_commit(void *at, size_t size);
/* Ends a reservation, with the size that it was made with. */
void os_release(void *at, size_t size);

/*
 * The whole file, with a NUL behind its bytes that *length does not count;
 * mem_free.  Works on files of /proc and on pipes as well.
 */
char *os_read_file(const char *path, size_t *length, char **error);

/* A regular file, opened for reading, and its size; -1 on failure. */
int os_open_regular(const char *path, size_t *size, char **error);

/* text with %p made the number of the process and %% made %; mem_free. */
char *os_expand_pid(const char *text);
/* /bin/sh runs the command, and is waited for, however it ends.  False with errno set
   when it cannot be started. */
bool os_run_command(const char *command);

/* dlopen; name NULL: the process itself. */
void *os_library_open(const char *name, char **error);

#endif
