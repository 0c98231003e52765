/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump.c -- writes the heap as a file that heap analysers read.
 *
 * The format is HPROF 1.0.2 (base/hprof.h).  The parts come in the order in which
 * readers want them: names, stack traces, classes with their static fields, roots, and
 * all objects.  heapdump_parts.h has what the files of the parts share.
 *
 * Classes and threads have serial numbers, which are given when they are first
 * enumerated; everything else is named by its address.
 */

#include "diagnostics/heapdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "diagnostics/heapdump_parts.h"
#include "runtime/exception.h"
#include "threads/safepoint.h"

/* Writes all parts of the dump, and frees what was allocated for it.  The world is
   stopped. */
static void
write_all(struct dump *d)
{
    dump_begin_classes(d);
    dump_write_threads(d);
    dump_write_classes(d);
    dump_write_roots(d);
    dump_write_objects(d);
    hprof_record(&d->h, HPROF_END, 0);
    ptrmap_release(&d->names);
    ptrmap_release(&d->serials);
    ptrmap_release(&d->thread_serials);
    buf_release(&d->classes);
    buf_release(&d->threads);
}

/* Appends a message to out, or prints it when out is NULL. */
static void __attribute__((format(printf, 2, 3)))
tell(struct buf *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (out) {
        buf_vprintf(out, format, args);
    } else {
        vprintf(format, args);
        fflush(stdout);
    }
    va_end(args);
}

char *
heap_dump_write(struct thread *self, const struct heap_dump *r, struct buf *out)
{
    struct dump d = { .self = self, .vm = self->vm, .out_of_memory = r->out_of_memory };
    int64_t start = os_nanos();
    uint64_t bytes;

    tell(out, "Dumping heap to %s ...\n", r->path);
    if (!hprof_open(&d.h, r->path, r->overwrite, r->gzip_level)) {
        char *error = mem_strdup(strerror(errno));
        tell(out, "Unable to create %s: %s\n", r->path, error);
        return error;
    }
    world_stop(self, "heap dump");
    /* Stops nest, so between the collection and the dump nothing runs. */
    if (r->live)
        vm_collect(self, "Heap Dump Initiated GC", KEEP_SOFT_REFERENCES);
    write_all(&d);
    world_resume(self);
    vm_send_collection_events(self);
    int error = hprof_close(&d.h, &bytes);
    if (d.cut)
        tell(out, "%" PRIu64 " arrays are too long for the format and were cut\n",
             d.cut);
    if (error) {
        tell(out, "Dump file is incomplete: %s\n", strerror(error));
        return mem_strdup(strerror(error));
    }
    tell(out, "Heap dump file created [%" PRIu64 " bytes in %.3f secs]\n", bytes,
         (double)(os_nanos() - start) / 1e9);
    return NULL;
}

/* ---- dumps that options ask for ---- */

/* From this release on -XX:HeapDumpPath may have the process's number, as %p. */
static const struct releases with_number = { 25, 0 };

void
heap_dump_by_options(struct thread *self, bool out_of_memory)
{
    /* It is global because the numbers of files are those of the process. */
    static uint32_t dump_count;
    const struct vm_options *o = &self->vm->options;
    struct heap_dump d = { .out_of_memory = out_of_memory,
                           .gzip_level = o->heap_dump_gzip_level };
    const char *path = o->heap_dump_path ? o->heap_dump_path : "";
    uint32_t number = __atomic_fetch_add(&dump_count, 1, __ATOMIC_RELAXED);
    struct stat status;
    TEXTS(t);

    if (release_is_in(self->vm->profile->feature, with_number))
        path = own(&t, os_expand_pid(path));
    size_t length = strlen(path);

    /* If the path is a folder, the file gets the name that it would have in the working
       directory. */
    if (length == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        path = own(&t, mem_printf("%s%sjava_pid%d.hprof%s", path,
                                  length && path[length - 1] != '/' ? "/" : "",
                                  (int)getpid(), d.gzip_level ? ".gz" : ""));
    d.path = number ? own(&t, mem_printf("%s.%u", path, number)) : path;
    mem_free(heap_dump_write(self, &d, NULL));
}
