/* SPDX-License-Identifier: MIT */
/* minivm/classfile/flags.c -- legal access flags (JVMS 4.1, 4.5, 4.6). */

#include "classfile/parse.h"

static bool
any(unsigned flags, unsigned of)
{
    return (flags & of) != 0;
}

/* Whether more than one of public, private and protected is set. */
static bool
is_torn(unsigned flags)
{
    unsigned access = flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED);

    return (access & (access - 1)) != 0;
}

bool
check_class_flags(struct parser *p, uint16_t *flags, unsigned known)
{
    unsigned given = *flags & known, major = p->cf->major;
    bool modern = major >= VERSION_SIGNATURES, interface = any(given, ACC_INTERFACE);

    if (any(*flags, ACC_MODULE) && major >= VERSION_MODULES)
        return parser_fail_as(p, CLASSFILE_WRONG_NAME, "%s is not a class because "
                              "access_flag ACC_MODULE is set", p->class_name);
    if (interface && major < VERSION_STACK_MAPS)
        given |= ACC_ABSTRACT;
    *flags = (uint16_t)given;
    if (p->opts->relaxed)
        return true;
    if ((given & (ACC_ABSTRACT | ACC_FINAL)) == (ACC_ABSTRACT | ACC_FINAL) ||
        (interface && !any(given, ACC_ABSTRACT)) ||
        (interface && modern && any(given, ACC_SUPER | ACC_ENUM)) ||
        (!interface && modern && any(given, ACC_ANNOTATION)))
        return parser_refuse(p, "Illegal class modifiers in class %s: 0x%X",
                             p->class_name, given);
    return true;
}

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
        legal = !is_torn(flags) && (flags & (ACC_FINAL | ACC_VOLATILE)) !=
                                       (ACC_FINAL | ACC_VOLATILE);
    }
    return legal || parser_refuse(p, "Illegal field modifiers in class %s: 0x%X",
                                  p->class_name, flags);
}

/* ACC_STRICT means something in versions 46 to 60 only. */
static bool
is_strict(const struct parser *p, unsigned flags)
{
    return any(flags, ACC_STRICT) && p->cf->major >= VERSION_STRICT &&
           p->cf->major <= VERSION_RECORDS;
}

static bool
is_legal_interface_method(const struct parser *p, unsigned flags)
{
    unsigned major = p->cf->major;
    bool abstract = any(flags, ACC_ABSTRACT);

    if (major >= VERSION_INTERFACE_CODE)
        return any(flags, ACC_PUBLIC) != any(flags, ACC_PRIVATE) &&
               !any(flags, ACC_NATIVE | ACC_PROTECTED | ACC_FINAL | ACC_SYNCHRONIZED) &&
               !(abstract && (any(flags, ACC_PRIVATE | ACC_STATIC) ||
                              is_strict(p, flags)));
    if (!any(flags, ACC_PUBLIC) || !abstract ||
        any(flags, ACC_STATIC | ACC_FINAL | ACC_NATIVE))
        return false;
    return major < VERSION_SIGNATURES ||
           !any(flags, ACC_PRIVATE | ACC_PROTECTED | ACC_SYNCHRONIZED | ACC_STRICT);
}

static bool
is_legal_class_method(const struct parser *p, unsigned flags, bool initializer)
{
    bool modern = p->cf->major >= VERSION_SIGNATURES;

    if (is_torn(flags))
        return false;
    if (initializer)
        return !any(flags, ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE |
                               ACC_ABSTRACT) &&
               !(modern && any(flags, ACC_BRIDGE));
    if (!any(flags, ACC_ABSTRACT))
        return true;
    return !any(flags, ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC) &&
           !(modern && (any(flags, ACC_SYNCHRONIZED) || is_strict(p, flags)));
}

/* A class initializer has only the flags that mean something there; it must say
   that it is static since version 51 (JVMS 4.6). */
static bool
settle_clinit_flags(struct parser *p, struct cf_method *m)
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
        return settle_clinit_flags(p, m);
    if (p->opts->relaxed)
        return true;
    legal = p->is_interface
                ? is_legal_interface_method(p, flags)
                : is_legal_class_method(p, flags, symbol_equals(m->name, "<init>"));
    return legal || parser_refuse(p, "Method %s in class %s has illegal modifiers: "
                                  "0x%X", m->name->bytes, p->class_name, flags);
}
