/* SPDX-License-Identifier: MIT */
/* tck/lib/class.c -- what each case's failure would mean: see enum tck_class. */
#include "tck/lib/mech.h"
#include "tck/lib/tck.h"

#include <string.h>

/* Whether an implementation must detect the error, whose name ends at the first dot. */
static enum tck_class
class_of_error(const char *name)
{
    size_t length = strcspn(name, ".");

    for (int i = 0; i < tck_error_count; i++)
        if (strlen(tck_errors[i].name) == length
            && strncmp(tck_errors[i].name, name, length) == 0)
            return tck_errors[i].class == 'r' ? TCK_REQUIRED : TCK_ADVISED;
    return TCK_REQUIRED;
}

static enum tck_class
class_of_mech(const struct tck_mech *mech)
{
    /* The text does not say whether NULL may be passed. */
    if (strstr(mech->id, ".null.") != NULL)
        return TCK_ADVISED;
    /* WRONG_PHASE is "always returned if the virtual machine has completed running". */
    if (mech->expect == JVMTI_ERROR_NONE || strstr(mech->id, ".phase.dead") != NULL)
        return TCK_REQUIRED;
    return class_of_error(tck_error_name(mech->expect));
}

static bool
is_among(const int *numbers, int number)
{
    while (*numbers != 0 && *numbers != number)
        numbers++;
    return *numbers != 0;
}

enum tck_class
tck_class_of(const struct tck_case *c)
{
    const struct tck_mech *mech = mech_of(c);
    const char *error = strstr(c->id, ".error.");

    if (mech != NULL)
        return class_of_mech(mech);
    if (error != NULL)
        return class_of_error(error + strlen(".error."));
    return is_among(tck_inferred, c->note) ? TCK_INFERRED
        : is_among(tck_advised, c->note) ? TCK_ADVISED : TCK_REQUIRED;
}

const char *
tck_class_name(enum tck_class class)
{
    static const char *const names[] = { "required", "advised", "inferred" };

    return names[class];
}
