/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/message.h -- texts that name classes, methods and loaders, in the
 * words of HotSpot's messages, which tests and tools of users compare.
 *
 * Nothing here stops or collects.  Texts are in standard UTF-8 as far as the names are.
 */

#ifndef MINIVM_LINKING_MESSAGE_H
#define MINIVM_LINKING_MESSAGE_H

#include <stdarg.h>

struct class;

/* The argument for %pT. */
#define CLASS_PAIR(a, b) ((const struct class *const[]){ (a), (b) })

/*
 * Returns a text as printf makes it, for the caller to free with mem_free.  It knows
 * %s, %d, %u, %x, %c and %% with length l and z and a precision, and these, which begin
 * with %p so that the compiler accepts a pointer for them:
 *   %pC  class             java.lang.Object
 *   %pN  char *            a/B as a.B
 *   %pF  symbol            a field's descriptor [La/B; as a.B[]
 *   %pM  method            void a.B.run(int, java.lang.String)
 *   %pS  method            void run(int, java.lang.String)
 *   %pK  class             interface, abstract class or class
 *   %pI  class             interface or class
 *   %pL  loader            'app', 'name' @1b2c or com.x.Loader @1b2c
 *   %pP  class             A is in unnamed module of loader 'app'
 *   %pO  class             the same, and for loaders of users: , parent loader 'app'
 *   %pT  CLASS_PAIR        A and B are in module m of loader 'app'; or as %pP; %pP
 *   %pQ  module            module m, or unnamed module @0x1b2c
 *   %pU  java.lang.String  its characters; nothing for NULL
 */
char *message_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *message_vprintf(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));

/* Returns a copy of a class's internal name with '.' for '/'; the caller frees it with
   mem_free. */
char *dotted_name(const char *name);

#endif
