/* SPDX-License-Identifier: MIT */
/*
 * minivm/option_reader.h -- the state of options_read, for the files option*.c only.
 *
 * options.c splits the sources into single options and gives each to one of the
 * functions here, which know the kinds of options.  They return true if they know the
 * option, even if it is faulty; then they have printed why, and r->failed is set.  Texts
 * that they keep are copies.
 */

#ifndef MINIVM_OPTION_READER_H
#define MINIVM_OPTION_READER_H

#include <stdio.h>

#include "jdk/flags.h"
#include "options.h"

/* The state of options_read. */
struct option_reader {
    struct vm_options *o;
    /* The release of the JDK. */
    int feature;
    /* Where the present option comes from. */
    enum flag_origin origin;
    /* -XX:+IgnoreUnrecognizedVMOptions. */
    bool ignore_unknown;
    /* A file that an option named is being read. */
    bool in_file;
    /* Some system properties were ignored because their names are reserved. */
    bool has_reserved;
    /* An option is faulty, and that was said. */
    bool failed;
};

/* Returns what follows the prefix in text, or NULL when text does not begin with it. */
const char *option_after(const char *text, const char *prefix);

/* Says why an option is faulty, in HotSpot's words and to where HotSpot says it.  Returns
   true, for the functions that know the option. */
bool option_fail(struct option_reader *r, FILE *to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads an option of the table (option_table.c). */
bool option_read_listed(struct option_reader *r, const char *text);

/* Reads an option with a syntax of its own, such as -D and -Xlog (option_syntax.c). */
bool option_read_other(struct option_reader *r, const char *text);

/* Reads a flag: what follows "-XX:", which is "+NAME", "-NAME" or "NAME=VALUE"
   (option_flag.c). */
bool option_read_flag(struct option_reader *r, const char *text);

/* Configures the log as another option than -Xlog wants it: what to log, and where to
   (NULL: standard output).  Messages name that option. */
bool option_read_log(struct option_reader *r, const char *what, const char *output,
                     const char *option);

/* Sets the first property of prefix.0, prefix.1 and so on that is not set yet, which is
   how the class library gets the values of an option that may be given several
   times. */
void property_add_numbered(struct vm_options *o, const char *prefix, const char *value);

/* Returns true if text, "NAME=VALUE", is a property that only an option of the module
   system may set, such as --add-modules. */
bool property_is_reserved(const char *text);

#endif
