/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/access_flags.c -- legal access flags (JVMS 4.1, 4.5, 4.6).
 *
 * Many rules are newer than the first class files.  Where HotSpot exempts older files,
 * so does this; most often the border is version 49 (VERSION_SIGNATURES).
 */

#include "classfile/parse.h"

/* Whether any of the flags `of` is set. */
static bool
any(unsigned flags, unsigned of)
{
    return (flags & of) != 0;
}

/* Whether more than one of public, private and protected is set. */
static bool
has_conflicting_access(unsigned flags)
{
    unsigned access = flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED);

    return (access & (access - 1)) != 0;
}

/*
 * A class is not abstract and final at once; an interface is abstract.  Since version
 * 49 an interface is neither an enum nor has it ACC_SUPER, and an annotation is an
 * interface.  In files below version 50 the flags of an interface may lack
 * ACC_ABSTRACT, so it is added.  A file with ACC_MODULE is a module-info, which
 * describes no class.
 */
bool
check_class_flags(struct parser *p, uint16_t *flags, unsigned known)
{
    unsigned given = *flags & known, major = p->cf->major;
    bool modern = major >= VERSION_SIGNATURES, interface = any(given, ACC_INTERFACE);

    if (any(*flags, ACC_MODULE) && major >= VERSION_MODULES)
        return parser_fail_as(p, CLASSFILE_WRONG_NAME,
                              "%s is not a class because "
                              "access_flag ACC_MODULE is set",
                              p->class_name);
    if (interface && major < VERSION_STACK_MAPS)
        given |= ACC_ABSTRACT;
    *flags = (uint16_t)given;
    if (p->opts->relaxed)
        return true;
    if ((given & (ACC_ABSTRACT | ACC_FINAL)) == (ACC_ABSTRACT | ACC_FINAL)
        || (interface && !any(given, ACC_ABSTRACT))
        || (interface && modern && any(given, ACC_SUPER | ACC_ENUM))
        || (!interface && modern && any(given, ACC_ANNOTATION)))
        return parser_refuse(p, "Illegal class modifiers in class %s: 0x%X",
                             p->class_name, given);
    return true;
}

/* A field of an interface is public, static and final, and nothing else but synthetic.
   Any other has at most one of public, private and protected, and is not final and
   volatile at once.  When the file has ended early the flags mean nothing; parse_field
   finds that out next. */
bool
check_field_flags(struct parser *p, unsigned flags)
{
    const unsigned constant = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
    unsigned others = ACC_PRIVATE | ACC_PROTECTED | ACC_VOLATILE | ACC_TRANSIENT;
    bool legal;

    if (p->opts->relaxed || p->in.bad)
        return true;
    if (p->is_interface) {
        if (p->cf->major >= VERSION_SIGNATURES)
            others |= ACC_ENUM;
        legal = (flags & constant) == constant && !any(flags, others);
    } else {
        legal = !has_conflicting_access(flags)
                && (flags & (ACC_FINAL | ACC_VOLATILE)) != (ACC_FINAL | ACC_VOLATILE);
    }
    return legal
           || parser_refuse(p, "Illegal field modifiers in class %s: 0x%X",
                            p->class_name, flags);
}

/* ACC_STRICT means something in versions 46 to 60 only. */
static bool
is_strict(const struct parser *p, unsigned flags)
{
    return any(flags, ACC_STRICT) && p->cf->major >= VERSION_STRICT
           && p->cf->major <= VERSION_RECORDS;
}

/*
 * Whether a method of an interface may have these flags.  Since version 52 it may have
 * code: it is either public or private, and it is abstract only if it is public, not
 * static and not strictfp.  Before, it is public and abstract and neither static,
 * final nor native nor, from version 49 on, private, protected, synchronized or
 * strictfp.
 */
static bool
is_legal_interface_method(const struct parser *p, unsigned flags)
{
    unsigned major = p->cf->major;
    bool abstract = any(flags, ACC_ABSTRACT);

    if (major >= VERSION_INTERFACE_CODE)
        return any(flags, ACC_PUBLIC) != any(flags, ACC_PRIVATE)
               && !any(flags, ACC_NATIVE | ACC_PROTECTED | ACC_FINAL | ACC_SYNCHRONIZED)
               && !(abstract
                    && (any(flags, ACC_PRIVATE | ACC_STATIC) || is_strict(p, flags)));
    if (!any(flags, ACC_PUBLIC) || !abstract
        || any(flags, ACC_STATIC | ACC_FINAL | ACC_NATIVE))
        return false;
    return major < VERSION_SIGNATURES
           || !any(flags, ACC_PRIVATE | ACC_PROTECTED | ACC_SYNCHRONIZED | ACC_STRICT);
}

/* Whether a method of a class may have these flags; initializer tells that it is
   <init>.  An abstract method may not be final, private or static, as nothing could
   implement it, nor native, synchronized or strictfp, as it has no code. */
static bool
is_legal_class_method(const struct parser *p, unsigned flags, bool initializer)
{
    bool modern = p->cf->major >= VERSION_SIGNATURES;

    if (has_conflicting_access(flags))
        return false;
    if (initializer)
        return !any(flags, ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE
                               | ACC_ABSTRACT)
               && !(modern && any(flags, ACC_BRIDGE));
    if (!any(flags, ACC_ABSTRACT))
        return true;
    return !any(flags, ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC)
           && !(modern && (any(flags, ACC_SYNCHRONIZED) || is_strict(p, flags)));
}

/* Clears the flags that mean nothing for a class initializer.  Since version 51 it must
   have ACC_STATIC; in older files it has it in any case (JVMS 4.6). */
static bool
normalize_clinit_flags(struct parser *p, struct cf_method *m)
{
    unsigned flags = m->access_flags;

    if (p->cf->major < VERSION_METHOD_HANDLES)
        flags = ACC_STATIC;
    else if (any(flags, ACC_STATIC))
        flags &= ACC_STATIC | (p->cf->major <= VERSION_RECORDS ? ACC_STRICT : 0);
    else
        return parser_fail(p, "Method <clinit> is not static");
    m->access_flags = (uint16_t)flags;
    return true;
}

bool
check_method_flags(struct parser *p, struct cf_method *m)
{
    unsigned flags = m->access_flags;
    bool legal;

    if (symbol_equals(m->name, "<clinit>"))
        return normalize_clinit_flags(p, m);
    if (p->opts->relaxed)
        return true;
    legal = p->is_interface
                ? is_legal_interface_method(p, flags)
                : is_legal_class_method(p, flags, symbol_equals(m->name, "<init>"));
    return legal
           || parser_refuse(p,
                            "Method %s in class %s has illegal modifiers: "
                            "0x%X",
                            m->name->bytes, p->class_name, flags);
}
