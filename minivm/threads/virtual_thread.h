/* SPDX-License-Identifier: MIT */
/* minivm/threads/virtual_thread.h -- virtual threads that carriers run (JEP 444): their
 * transitions.
 *
 * A virtual thread is mounted on its carrier, a platform thread, and unmounted again,
 * in several steps: the continuation's stack is exchanged (continuation.h), and Java
 * code says who the current thread is (JVM_SetCurrentThread).  In between the two do
 * not agree, and an agent that looked at the thread then would see neither the one nor
 * the other.  So the steps together are a transition, which has a beginning and an end:
 *
 *                      begins                          ends
 *      mount, first    begin_mount, on the carrier     end_mount, in VirtualThread.run
 *      unmount         begin_unmount, before a yield   end_unmount, on the carrier
 *      mount, later    begin_mount, on the carrier     end_mount, behind the yield
 *      a failed yield  begin_unmount                   end_mount, on the same stack
 *      unmount, last   begin_unmount, in               end_unmount, on the carrier
 *                      VirtualThread.run
 *
 * Who calls them.  The class library around a park, a yield and a sleep, by
 * VirtualThread.notifyJvmtiMount and its relatives (jdk/jvm_virtual.c).  On the carrier
 * it always is the class library.  Where the VM itself yields, because a monitor is
 * contended or in Object.wait, the VM begins the unmount and ends the mount:
 *
 *      virtual_thread_begin_unmount(self);
 *      if the reason to yield is gone meanwhile, or somebody wants something else of
 *      self (thread_is_stopped, thread_must_leave):
 *              virtual_thread_end_mount(self), and go on without a yield
 *      thread_unmount(self); the loop goes on in the carrier's frame
 *      ... the virtual thread is mounted again ...
 *      if it has to yield again: thread_unmount(self) at once, still in the transition
 *      virtual_thread_end_mount(self)
 *
 * The rules.  In a transition a thread is not suspended, and no event is sent.  While
 * an agent's function needs the virtual threads where they are, a transition that is
 * about to begin waits; and so does one of a suspended virtual thread: a mounted one
 * keeps its carrier until it is resumed, and one that is not mounted keeps the carrier
 * that wants to mount it.  A transition that has begun comes to its end by itself: it
 * waits for nothing that a transition could hold up. */

#ifndef MINIVM_THREADS_VIRTUAL_THREAD_H
#define MINIVM_THREADS_VIRTUAL_THREAD_H

#include "threads/thread.h"

/* Begins the mount of the virtual thread on self, a platform thread that runs no
   virtual one.  May stop: waits while mounting is not allowed.  self->object is the
   current thread. */
void virtual_thread_begin_mount(struct thread *self, struct object *thread_object);

/* Begins the unmount of the virtual thread that self runs.  May stop, as with
   virtual_thread_begin_mount, and while it does anything may happen: the thread may
   have been suspended and resumed, monitors may have changed hands, an agent may have
   asked for an exception to be thrown in it.  Must not be called in a transition. */
void virtual_thread_begin_unmount(struct thread *self);

/* Ends a transition, of which self is the virtual thread, or its carrier.  May stop:
   self may be suspended from here on. */
void virtual_thread_end_mount(struct thread *self);
void virtual_thread_end_unmount(struct thread *self);

/* Returns the continuation of a java.lang.VirtualThread; NULL if it has never run and
   nobody has asked for it, or if it has ended. */
struct continuation *virtual_thread_continuation(const struct vm *vm,
                                                 const struct object *thread_object);

/* Returns the continuation of the virtual thread that t has mounted, or NULL.  t is
   self, stopped, in a handshake, or held. */
struct continuation *thread_carried(const struct thread *t);

/*
 * Holds all virtual threads where they are: no transition is under way when the
 * function returns, and none begins until the calling thread has released them as often
 * as it has held them.  May stop.  Until then self is not suspended; it must not wait
 * for what needs a virtual thread to move, so it runs no Java code.  Must not be
 * called in a transition.  Does nothing where there are no continuations.
 */
void virtual_threads_hold(struct thread *self);
void virtual_threads_release(struct thread *self);

/* Holds them until the block ends. */
#define VIRTUAL_THREADS_HELD(self) \
    struct thread *held_here \
        __attribute__((cleanup(virtual_threads_end_hold), unused)) = (self); \
    virtual_threads_hold(held_here)

static inline void
virtual_threads_end_hold(struct thread **self)
{
    virtual_threads_release(*self);
}

/* The first call begins a section, in which the class library enters the lock of a virtual
   thread, and the second (delay false) ends it; they nest.  While self owns a monitor
   that it has entered in a section it is not suspended (suspend.h).  The second may
   stop. */
void virtual_thread_delay_suspension(struct thread *self, bool delay);

/* ---- suspension (JVM TI "Suspend Thread") ----
 *
 * A virtual thread and its carrier are suspended each for itself.  The caller holds the
 * virtual threads, or suspends the one that it runs; the functions return false if the
 * thread is suspended already, or is not. */

/* c is that of a virtual thread.  When virtual_thread_suspend returns it runs no more
   bytecode; if it is the calling thread, it returns when that has been resumed. */
bool virtual_thread_suspend(struct thread *self, struct continuation *c);
bool virtual_thread_resume(struct vm *vm, struct continuation *c);

/* c is NULL for one that has no continuation yet: then it is the mode that tells. */
bool virtual_thread_is_suspended(const struct vm *vm, const struct continuation *c);

/* t as a platform thread.  While it runs a virtual one it goes on until that wants to
   be unmounted. */
bool platform_thread_suspend(struct thread *self, struct thread *t);
bool platform_thread_resume(struct thread *t);

/* Sets the mode: whether virtual threads that get their continuation later are
   suspended then. */
void virtual_threads_start_suspended(struct vm *vm, bool suspended);

/* ---- what others see: virtual_view.c ---- */

/* Returns true if a java.lang.Thread is a virtual thread that carriers run. */
bool thread_object_is_carried(const struct vm *vm, const struct object *thread_object);

/* For the next three the virtual threads are held, or the world is stopped. */

/* Returns true if a virtual thread that carriers run has been started and has not
   ended. */
bool virtual_thread_is_alive(const struct vm *vm, const struct object *thread_object);

/* Returns the bits of enum thread_status for a virtual thread that carriers run, as
   thread_full_status does for others. */
uint32_t virtual_thread_status(struct vm *vm, struct object *thread_object);

/*
 * Runs fn by a handshake about a java.lang.Thread, under the conditions of handshake().
 * fn gets the struct thread that has the frames of that thread, newest first: its own,
 * that of its carrier, or a picture (below).  live is the struct thread of a platform
 * thread, pinned; NULL if it has none.  Returns false, and fn did not run, if the thread
 * is not alive.
 */
bool thread_ask(struct thread *self, struct object *thread_object, struct thread *live,
                void (*fn)(struct thread *t, void *arg), void *arg);

/* ---- pictures ----
 *
 * What a function about a struct thread has to know of a virtual thread that is not
 * mounted, or of a thread below the virtual one that it runs, is put into a struct
 * thread of its own.  It has stacks, monitors, what belongs to JVM TI, and the bit of a
 * suspension; nothing that is written to it has an effect, except what its pointers
 * lead to.  The virtual threads are held, or the world is stopped, or it is a handshake
 * with t. */

/* c may be NULL: a virtual thread without frames. */
void virtual_thread_picture(struct thread *picture, struct vm *vm,
                            struct object *thread_object, const struct continuation *c);
/* t runs a virtual thread. */
void carrier_picture(struct thread *picture, const struct thread *t);

/* ---- for the files of this room ---- */

/* c is about to be freed. */
void virtual_thread_forget(struct vm *vm, struct continuation *c);

/* Makes vm->transitions. */
void virtual_threads_init(struct vm *vm);

#endif
