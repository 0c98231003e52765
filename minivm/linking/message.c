/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/message.c -- texts that name classes, methods and loaders.
 *
 * message_vprintf goes through the format from one '%' to the next.  What printf knows
 * is handed to the buffer's printf, one conversion at a time; for %p and a letter one
 * of the append functions below writes the description straight into the buffer.
 */

#include "linking/message.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "linking/module.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- names ---- */

char *
dotted_name(const char *name)
{
    char *text = mem_strdup(name);

    for (char *at = text; (at = strchr(at, '/')) != NULL;)
        *at = '.';
    return text;
}

static void
append_and_free(struct buf *b, char *text)
{
    buf_append_string(b, text);
    mem_free(text);
}

static void
append_string(struct buf *b, const struct object *string)
{
    if (string)
        append_and_free(b, string_to_utf8(string));
}

/* ---- loaders and modules ---- */

/* Appends the name of a loader, given by its object: NULL is the boot loader.  The
   constructor of ClassLoader sets nameAndId late; before that a loader is named by its
   class and identity hash, as it would be without a name. */
static void
append_loader(struct buf *b, const struct object *loader)
{
    const struct object *name;

    if (!loader) {
        buf_append_string(b, "'bootstrap'");
        return;
    }
    name = REF_FIELD(the_vm, loader, ClassLoader_nameAndId);
    if (name) {
        append_string(b, name);
        return;
    }
    append_and_free(b, class_external_name(object_class(loader)));
    buf_printf(b, " @%x", (unsigned)object_identity_hash(loader));
}

static void
append_module(struct buf *b, const struct module *m)
{
    if (m->name)
        buf_printf(b, "module %s", m->name->bytes);
    else
        buf_printf(b, "unnamed module @0x%x",
                   m->object ? (unsigned)object_identity_hash(m->object) : 0u);
}

/* Returns true if messages name the version of m: not that of the JDK's own modules. */
static bool
shows_version(const struct module *m)
{
    return m->version
           && !(m->location
                && (strncmp(m->location->bytes, "jrt:/java.", 10) == 0
                    || strncmp(m->location->bytes, "jrt:/jdk.", 9) == 0));
}

/* ---- classes ---- */

/* Appends where c is from: "A is in module m of loader 'app'".  verb is "is", or "are"
   as the end of a sentence about two classes. */
static void
append_place(struct buf *b, const struct class *c, const char *verb)
{
    const struct module *m = c->bottom->module;

    append_and_free(b, class_external_name(c));
    if (!m || !m->name)
        buf_printf(b, " %s in unnamed module of loader ", verb);
    else
        buf_printf(b, " %s in module %s%s%s of loader ", verb, m->name->bytes,
                   shows_version(m) ? "@" : "",
                   shows_version(m) ? m->version->bytes : "");
    append_loader(b, c->bottom->loader->object);
}

/* Appends where both classes are from: in one sentence, "A and B are in module m", if
   they are of the same module, else in two. */
static void
append_places(struct buf *b, const struct class *const pair[2])
{
    if (pair[0]->bottom->module == pair[1]->bottom->module) {
        append_and_free(b, class_external_name(pair[0]));
        buf_append_string(b, " and ");
        append_place(b, pair[1], "are");
        return;
    }
    append_place(b, pair[0], "is");
    buf_append_string(b, "; ");
    append_place(b, pair[1], "is");
}

/* Appends where c is from, and the parent of its loader unless the JDK has made that
   loader. */
static void
append_place_and_parent(struct buf *b, const struct class *c)
{
    append_place(b, c, "is");
    if (c->loader->is_builtin)
        return;
    buf_append_string(b, ", parent loader ");
    append_loader(b, REF_FIELD(the_vm, c->loader->object, ClassLoader_parent));
}

/* Appends a method as Java declares it: void a.B.run(int, java.lang.String). */
static void
append_method(struct buf *b, const struct method *m)
{
    char *holder = class_external_name(m->class);

    descriptor_print_method(b, holder, m->name->bytes, m->descriptor);
    mem_free(holder);
}

/* ---- formats ---- */

/* Appends what %p and that letter stand for (message.h); value is the argument.  The
   process ends for an unknown letter: the format is a mistake of ours. */
static void
append_described(struct buf *b, char letter, const void *value)
{
    const struct class *c = value;
    const struct method *m = value;
    bool is_abstract = letter == 'K' && c->access_flags & ACC_ABSTRACT;

    switch (letter) {
    case 'C': append_and_free(b, class_external_name(c)); break;
    case 'F': descriptor_print_field(b, value); break;
    case 'I':
    case 'K':
        buf_append_string(b, class_is_interface(c) ? "interface"
                             : is_abstract         ? "abstract class"
                                                   : "class");
        break;
    case 'L': append_loader(b, ((const struct loader *)value)->object); break;
    case 'M': append_method(b, m); break;
    case 'N': append_and_free(b, dotted_name(value)); break;
    case 'O': append_place_and_parent(b, c); break;
    case 'P': append_place(b, c, "is"); break;
    case 'Q': append_module(b, value); break;
    case 'S': descriptor_print_method(b, NULL, m->name->bytes, m->descriptor); break;
    case 'T': append_places(b, value); break;
    case 'U': append_string(b, value); break;
    default: fatal("a message has %%p%c", letter);
    }
}

/* Each round copies the text up to the next '%' and then one conversion: '%', length -
   2 characters of precision and size, and the type.  Of %p the letter behind is taken,
   too.  An argument is fetched with the type that printf would use: int, long (l and z
   are both 64 bits wide), pointer, or the precision of %.*s in front of the pointer. */
char *
message_vprintf(const char *format, va_list args)
{
    struct buf b = { 0 };

    for (;;) {
        size_t length = strcspn(format, "%");
        char conversion[16], type;

        buf_append(&b, format, length);
        format += length;
        if (*format == '\0')
            return buf_steal(&b, NULL);
        length = strspn(format + 1, ".*0123456789lz") + 2;
        type = format[length - 1];
        snprintf(conversion, sizeof conversion, "%.*s", (int)length, format);
        if (type == 'p') {
            append_described(&b, format[length++], va_arg(args, void *));
        } else if (type == '%') {
            buf_append_string(&b, "%");
        } else if (type == 's' && strchr(conversion, '*')) {
            int precision = va_arg(args, int);

            buf_printf(&b, conversion, precision, va_arg(args, const char *));
        } else if (type == 's') {
            buf_printf(&b, conversion, va_arg(args, const char *));
        } else if (conversion[length - 2] == 'l' || conversion[length - 2] == 'z') {
            buf_printf(&b, conversion, va_arg(args, long));
        } else {
            buf_printf(&b, conversion, va_arg(args, int));
        }
        format += length;
    }
}

char *
message_printf(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    text = message_vprintf(format, args);
    va_end(args);
    return text;
}
