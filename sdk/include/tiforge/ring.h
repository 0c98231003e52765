/* SPDX-License-Identifier: MIT */
/*
 * tiforge/ring.h -- per-thread buffers of records: the owner writes without a lock, one
 * reader at a time takes out.
 *
 * Records of one thread keep their order.  When a buffer is full the new record is
 * dropped and counted: nothing is lost unseen.  A buffer belongs to a thread of the
 * system; virtual threads share their carrier's, so a record that is about a Java
 * thread has to say which.
 */
#ifndef TIFORGE_RING_H
#define TIFORGE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_rings;
struct tf_ring;

/*
 * A set of buffers of `bytes` each (rounded up to a power of two, at least 4096); NULL
 * when memory is short.
 */
struct tf_rings *tf_rings_new(size_t bytes);
/* No thread may use it any more. */
void tf_rings_free(struct tf_rings *rings);

/*
 * The current thread's buffer, made at its first use; NULL when memory is short.  It is
 * kept after the thread has ended until its records were read.
 */
struct tf_ring *tf_rings_mine(struct tf_rings *rings);

/*
 * Room for a record of `size` bytes, at most a quarter of the buffer; aligned to 8.
 * NULL, and counted as lost, when there is none.  Fill it, then commit; each reserve is
 * followed by one commit or by nothing.  Neither blocks, allocates nor calls the VM, so
 * both are allowed in every callback.
 */
void *tf_ring_reserve(struct tf_ring *ring, size_t size);
void tf_ring_commit(struct tf_ring *ring);

/* A number that tells threads apart, from 1 in the order of their first use. */
uint64_t tf_ring_number(const struct tf_ring *ring);
/* How many bytes wait to be read. */
size_t tf_ring_used(const struct tf_ring *ring);
/* How many records found no room. */
uint64_t tf_ring_lost(const struct tf_ring *ring);

typedef void tf_ring_visitor(const struct tf_ring *ring, const void *record,
                             size_t size, void *argument);

/*
 * Take all committed records out, buffer by buffer, and hand each to visit, which must
 * not call tf_rings_read; answers how many.  Several callers take turns.  Owners may go
 * on writing meanwhile: what they add to a buffer already read waits for the next time.
 */
size_t tf_rings_read(struct tf_rings *rings, tf_ring_visitor *visit, void *argument);

/* Lost records of all threads, ended ones too. */
uint64_t tf_rings_lost(struct tf_rings *rings);

#ifdef __cplusplus
}
#endif

#endif
