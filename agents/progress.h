/* SPDX-License-Identifier: MIT */
/* agents/progress.h -- how far a long work is, on standard error. */
#ifndef AGENTS_PROGRESS_H
#define AGENTS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_AUTO, PROGRESS_YES, PROGRESS_NO };

/* The agents' option; `at` is an int of these. */
#define PROGRESS_OPTION(at)                                                              \
    { "progress", TF_CHOICE, (at), "auto|yes|no", 0, 0,                                  \
      "tell on standard error how far it is; auto: if that is a terminal; no: not even "  \
      "where the result is", NULL }

struct progress {
    const char *agent;
    bool wanted, terminal;
    bool shown;                 /* there is a line on the terminal */
    const char *what;           /* told last */
    unsigned tenths;            /* told last, of the whole */
    double last;                /* when the terminal was written to */
};

/* A work begins; the mode is one of the above. */
void progress_begin(struct progress *progress, const char *agent, int mode);
/* It does `what` and has done a part of the whole; without a percentage if whole is 0.
   May be called often: a terminal's line is written anew ten times a second at most, and
   elsewhere every tenth of the whole is a line. */
void progress_tell(struct progress *progress, const char *what, uint64_t done,
                   uint64_t whole);
/* Take the terminal's line away: something else will be written, or the work is done. */
void progress_end(struct progress *progress);
/* Tell where the result is, unless the mode is PROGRESS_NO or it went to the output. */
void progress_wrote(const char *agent, int mode, const char *path);

#endif
