/* SPDX-License-Identifier: MIT */
/* agents/heapdump/growth.h -- who holds more than in an earlier dump. */
#ifndef GROWTH_H
#define GROWTH_H

#include "agents/heapdump/heapdump.h"

struct growth_row {
    uint64_t before, now;       /* objects at the end of the path */
    int64_t bytes, more;        /* that came, with what they hold */
    char *name;                 /* their class */
    char *path;                 /* from a root to them */
    uint32_t parent, class;     /* while rows are found */
    bool links;
};

struct growth {
    int64_t bytes, objects;     /* of all that is reached */
    struct growth_row *rows, *loaders;  /* the largest first; class loaders by number */
    uint32_t row_count, loader_count;
};

/* Compare two HPROF files; false with the reason logged.  To be released. */
bool growth_find(struct growth *growth, const char *before, const char *now);
/* Compare a file with the program's heap.  False with the reason logged, unless the model
   is stale. */
bool growth_since(struct growth *growth, struct model *model, const char *before);
void growth_release(struct growth *growth);
/* How many of the rows, the largest, have so many percent of the change: of what came, or
   of what all is less. */
uint32_t growth_large(const struct growth *growth, long long percent);
/* Write the rows of each kind, as many as top and min of the options let in. */
bool growth_text(const struct growth *growth, struct output *out,
                 const struct config *config);

#endif
