/* SPDX-License-Identifier: MIT */
/*
 * tck/gen/rules.h -- which fault provokes which row of the error tables.
 */
#ifndef TCK_GEN_RULES_H
#define TCK_GEN_RULES_H

/*
 * A rule applies to a row when each of its fields is NULL or equal to the row's.  The
 * rows of a function take the rules that name it; only when there is none do they take
 * the general ones.  Every matching rule gives a case of its own, told apart by variant.
 */
struct rule {
    const char *function;
    const char *error;   /* without JVMTI_ERROR_ */
    const char *arg;     /* "-": the row names none */
    const char *type;
    const char *fault;   /* NULL: no case, the row needs a chapter's own */
    const char *variant; /* suffix of the id, or NULL */
    const char *accept;  /* an error that is as good, or NULL */
    int since;           /* 0: the function's */
};

/* The last one has no error. */
extern const struct rule rules[];

enum { RULES_MAX = 200 };

#endif
