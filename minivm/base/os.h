/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/os.h -- the operating system: time, memory, files, libraries.
 *
 * Any thread may call these functions.  They do not know safepoints: a thread that
 * calls one that may block (files, commands) leaves the VM's state before.
 */
#ifndef MINIVM_BASE_OS_H
#define MINIVM_BASE_OS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A function that takes char **error stores there, when it fails, the reason as a text
 * for people, without the name of the file; the caller frees it (mem_free).  error may
 * be NULL.
 */

/* Return nanoseconds: of a clock that never goes back, and since 1970. */
int64_t os_nanos(void);
int64_t os_wall_nanos(void);
/* Return nanoseconds of processor time of the calling thread: in all, and in user
   mode. */
int64_t os_thread_cpu_nanos(void);
int64_t os_thread_user_nanos(void);
/* Returns that of another thread, which has not been joined; -1 if it is not known. */
int64_t os_thread_cpu_nanos_of(pthread_t thread);

size_t os_page_size(void);
/*
 * Returns the number of processors that this process may use, at least 1: what its
 * affinity and the quota of its control groups (version 2) allow.
 */
int os_processor_count(void);
/* Returns the bytes of memory of the machine, or the limit of the process's control
   group if that is less. */
uint64_t os_physical_memory(void);

/*
 * Returns size, or 1 / part of the address space that the process may have (ulimit -v)
 * if that is less: so much may be reserved without leaving too little for others.
 */
size_t os_reservable(size_t size, unsigned part);
/*
 * If address space is limited, lets threads share malloc's heap, for which glibc
 * otherwise reserves 64 MB per thread.  To be called while there is one thread.
 */
void os_share_malloc(void);
/*
 * Reserve address space without memory; size is rounded up to pages.  They return NULL
 * when there is none.  The range of os_reserve_low ends at or below 4 GiB, so that 32
 * bits are enough for an address in it.
 */
void *os_reserve(size_t size);
void *os_reserve_low(size_t size);
/* Reserves address space that begins at a multiple of alignment, a power of two.  NULL
   when there is none. */
void *os_reserve_aligned(size_t size, size_t alignment);
/*
 * Makes whole pages of a reserved range accessible; memory that is new is zero.
 * Returns false when the system has none.
 */
bool os_commit(void *at, size_t size);
/* Gives the memory of whole pages back, which stay accessible and are zero afterwards. */
void os_discard(void *at, size_t size);
/* Ends a reservation, with the size that it was made with. */
void os_release(void *at, size_t size);

/*
 * Returns the content of a file with a NUL behind it, to be freed (mem_free), and
 * stores its length without the NUL unless length is NULL.  Also reads files of /proc
 * and pipes.  Returns NULL with *error when it cannot be read.
 */
char *os_read_file(const char *path, size_t *length, char **error);

/* Opens a regular file for reading and stores its size.  Returns the descriptor, or -1
   with *error. */
int os_open_regular(const char *path, size_t *size, char **error);

/* Returns text with %p replaced by the number of the process and %% by %, to be freed
   (mem_free). */
char *os_expand_pid(const char *text);
/* Lets /bin/sh run a command and waits until it ends, in whatever way.  Returns false
   with errno set when the shell cannot be started. */
bool os_run_command(const char *command);

/* Loads a library with dlopen; name NULL is the program itself.  Returns its handle, or
   NULL with *error. */
void *os_library_open(const char *name, char **error);

#endif
