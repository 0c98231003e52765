/* SPDX-License-Identifier: MIT */
/*
 * minivm/option_table.c -- the options that do what many others do: set a bool, a size or
 * a system property, or add an agent.
 *
 * To add an option that fits a kind, add a row to the table; the kinds are described
 * above it.
 */

#include "option_reader.h"

#include <string.h>

#include "base/mem.h"
#include "jdk/properties.h"
#include "runtime/exception.h"
#include "runtime/wellknown.h"

/* ---- what the kinds do ---- */

void
property_add_numbered(struct vm_options *o, const char *prefix, const char *value)
{
    TEXTS(t);
    const char *key;
    unsigned n = 0;

    do
        key = own(&t, mem_printf("%s.%u", prefix, n++));
    while (property_find(o, key));
    property_set(o, key, mem_strdup(value));
}

/* Adds an agent, "NAME" or "NAME=OPTIONS", where any of the separators may stand for
   '='.  is_path: NAME is the path of the library. */
static void
add_agent(struct vm_options *o, const char *text, const char *separators, bool is_path)
{
    struct agent_option *a = mem_calloc(1, sizeof *a), **end = &o->agents;
    size_t length = strcspn(text, separators);

    a->name = mem_strndup(text, length);
    a->options = text[length] ? mem_strdup(text + length + 1) : NULL;
    a->is_path = is_path;
    while (*end)
        end = &(*end)->next;
    *end = a;
}

/* -javaagent is an agent of the JDK's own library "instrument" (java.lang.instrument),
   which needs the module java.instrument. */
static void
add_java_agent(struct vm_options *o, const char *text)
{
    TEXTS(t);

    add_agent(o, own(&t, mem_printf("instrument=%s", text)), "=", false);
    property_add_numbered(o, "jdk.module.addmods", "java.instrument");
}

/* Adds -ea or -da; what is "" for all classes, ":NAME" for a class or ":NAME..." for a
   package and those below it. */
static void
add_assertion(struct vm_options *o, const char *what, bool enable)
{
    struct assertion_option *a = mem_calloc(1, sizeof *a), **end = &o->assertions;

    a->enable = enable;
    if (*what == ':') {
        size_t length = strlen(++what);
        a->is_package = length >= 3 && strcmp(what + length - 3, "...") == 0;
        a->name = mem_strndup(what, a->is_package ? length - 3 : length);
        for (char *p = a->name; *p; p++)
            if (*p == '.')
                *p = '/';
    }
    while (*end)
        end = &(*end)->next;
    *end = a;
}

/* ---- the table ---- */

/* What an option of the table does.  find_option relies on the order: the first ones
   are options without a value, and a value may follow the name from LIBRARY on. */
enum kind {
    /* Accepted without effect, as HotSpot has it and this VM needs no such choice. */
    IGNORED,
    /* The bool at `offset` becomes true or false. */
    ON,
    OFF,
    /* As -Xlog with `text`. */
    VERBOSE,
    /* -ea and -da: nothing follows, or a colon and a name. */
    ENABLE,
    DISABLE,
    /* An agent's name; its path; its name as -Xrun takes it; -javaagent. */
    LIBRARY,
    LIBRARY_PATH,
    OLD_LIBRARY,
    JAVA_AGENT,
    /* A size in bytes between `minimum` and `maximum` goes to `offset`; messages call
       it `text`. */
    SIZE,
    /* "enabled" or "disabled"; the value of the system property `text`, one of four. */
    FINALIZATION,
    UNSAFE_ACCESS,
    /* The value becomes that of the system property `text`, of a numbered one
       (add_numbered), or of a numbered one after a check of --patch-module's syntax. */
    PROPERTY,
    NUMBERED,
    PATCH
};

#define OFFSET(field) offsetof(struct vm_options, field)

/* The options that a row can describe.  A row has the name as it is written, up to
   where the value begins; the kind; what the kind says it needs; and the releases of the
   JDK that have the option.  The first row whose name fits is taken. */
/* clang-format off */
static const struct option {
    const char *name;
    enum kind kind;
    const char *text;
    /* Of a member of struct vm_options; 0: none. */
    size_t offset;
    size_t minimum, maximum;
    struct releases releases;
} options[] = {
#define PLAIN(name, kind) { name, kind, NULL, 0, 0, 0, { 0, 0 } }
#define SWITCH(name, kind, field) { name, kind, NULL, OFFSET(field), 0, 0, { 0, 0 } }
#define VALUE(name, kind, property) { name, kind, property, 0, 0, 0, { 0, 0 } }
#define SIZED(name, text, field, minimum, maximum) \
    { name, SIZE, text, field, minimum, maximum, { 0, 0 } }
#define SINCE(since, name, kind, property) { name, kind, property, 0, 0, 0, { since, 0 } }
    PLAIN("-Xint", IGNORED),
    PLAIN("-Xcomp", IGNORED),
    PLAIN("-Xmixed", IGNORED),
    PLAIN("-Xbatch", IGNORED),
    PLAIN("-Xdebug", IGNORED),
    PLAIN("-Xfuture", IGNORED),
    PLAIN("-Xnoagent", IGNORED),
    PLAIN("-Xinternalversion", IGNORED),
    PLAIN("-server", IGNORED),
    PLAIN("-client", IGNORED),
    PLAIN("-tty", IGNORED),
    PLAIN("-Xshare:auto", IGNORED),
    PLAIN("-Xshare:on", IGNORED),
    PLAIN("-Xshare:off", IGNORED),
    PLAIN("-Xshare:dump", IGNORED),
    PLAIN("-ea", ENABLE),
    PLAIN("-enableassertions", ENABLE),
    PLAIN("-da", DISABLE),
    PLAIN("-disableassertions", DISABLE),
    PLAIN("-agentlib:", LIBRARY),
    PLAIN("-agentpath:", LIBRARY_PATH),
    PLAIN("-Xrun", OLD_LIBRARY),
    PLAIN("-javaagent:", JAVA_AGENT),
    VALUE("-verbose", VERBOSE, "class+load,class+unload"),
    VALUE("-verbose:class", VERBOSE, "class+load,class+unload"),
    VALUE("-verbose:gc", VERBOSE, "gc"),
    VALUE("-verbose:jni", VERBOSE, "jni+resolve=debug"),
    VALUE("-verbose:module", VERBOSE, "module+load,module+unload"),
    SWITCH("-esa", ON, system_assertions),
    SWITCH("-enablesystemassertions", ON, system_assertions),
    SWITCH("-dsa", OFF, system_assertions),
    SWITCH("-disablesystemassertions", OFF, system_assertions),
    SWITCH("-Xrs", ON, no_java_signals),
    SWITCH("-Xcheck:jni", ON, check_jni),
    SWITCH("-Xcheck:jvmti", ON, check_jvmti),
    SWITCH("-Xnoclassgc", OFF, class_unloading),
    SWITCH("--enable-preview", ON, enable_preview),
    SIZED("-Xmx", "maximum heap size", OFFSET(heap_maximum), 1, SIZE_MAX),
    SIZED("-Xms", "initial heap size", OFFSET(heap_initial), 0, SIZE_MAX),
    SIZED("-Xmn", "initial young generation size", 0, 0, SIZE_MAX),
    SIZED("-Xss", "thread stack size", OFFSET(stack_size), 0, (size_t)1 << 30),
    VALUE("--module-path=", PROPERTY, "jdk.module.path"),
    VALUE("--upgrade-module-path=", PROPERTY, "jdk.module.upgrade.path"),
    VALUE("--limit-modules=", PROPERTY, "jdk.module.limitmods"),
    VALUE("--add-modules=", NUMBERED, "jdk.module.addmods"),
    VALUE("--add-exports=", NUMBERED, "jdk.module.addexports"),
    VALUE("--add-opens=", NUMBERED, "jdk.module.addopens"),
    VALUE("--add-reads=", NUMBERED, "jdk.module.addreads"),
    VALUE("--patch-module=", PATCH, "jdk.module.patch"),
    VALUE("--enable-native-access=", NUMBERED, "jdk.module.enable.native.access"),
    SINCE(18, "--finalization=", FINALIZATION, NULL),
    SINCE(23, "--sun-misc-unsafe-memory-access=", UNSAFE_ACCESS,
          "sun.misc.unsafe.memory.access"),
    SINCE(24, "--illegal-native-access=", PROPERTY, "jdk.module.illegal.native.access"),
};
/* clang-format on */

bool
property_is_reserved(const char *text)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *rest = options[i].kind >= PROPERTY
                               ? option_after(text, options[i].text)
                               : NULL;
        if (rest && strchr(".=", *rest))
            return true;
    }
    return false;
}

/* ---- reading by the table ---- */

/* Reads the value of a row of kind SIZE. */
static void
read_size(struct option_reader *r, const struct option *option, const char *value)
{
    size_t size = 0;
    bool is_size = parse_size(value, &size);

    if (!is_size || size < option->minimum || size > option->maximum)
        option_fail(r, stderr, "Invalid %s: %s%s\n%s", option->text, option->name,
                    value,
                    is_size && size > option->maximum
                        ? "The specified size exceeds the maximum representable size.\n"
                        : "");
    else if (option->offset != 0)
        *(size_t *)((char *)r->o + option->offset) = size;
    r->o->heap_maximum_given |= option->offset == OFFSET(heap_maximum);
    r->o->heap_initial_given |= option->offset == OFFSET(heap_initial);
}

/* Reads the value of --finalization. */
static bool
read_finalization(struct option_reader *r, const char *value)
{
    r->o->no_finalization = !strcmp(value, "disabled");
    return r->o->no_finalization || !strcmp(value, "enabled")
           || option_fail(r, stderr,
                          "Invalid finalization value '%s', must be 'disabled' or "
                          "'enabled'.\n",
                          value);
}

/* Reads the value of --sun-misc-unsafe-memory-access, whose row is given. */
static bool
read_unsafe_access(struct option_reader *r, const struct option *option,
                   const char *value)
{
    static const char *const values[] = { "allow", "warn", "debug", "deny" };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(value, values[i]))
            return property_set(r->o, option->text, mem_strdup(value)), true;
    return option_fail(r, stderr,
                       "Value specified to --sun-misc-unsafe-memory-access not "
                       "recognized: '%s'\n",
                       value);
}

/* Returns the row of the table that the option fits and that the release has, or
   NULL. */
static const struct option *
find_option(const char *text, int feature)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *rest = option_after(text, options[i].name);
        if (rest && release_is_in(feature, options[i].releases)
            && (*rest == '\0' || options[i].kind > DISABLE
                || (*rest == ':' && options[i].kind >= ENABLE)))
            return &options[i];
    }
    return NULL;
}

bool
option_read_listed(struct option_reader *r, const char *text)
{
    const struct option *option = find_option(text, r->feature);
    const char *value = option ? option_after(text, option->name) : NULL;
    struct vm_options *o = r->o;

    if (!option)
        return false;
    switch (option->kind) {
    case IGNORED: break;
    case ON:
    case OFF: *(bool *)((char *)o + option->offset) = option->kind == ON; break;
    case VERBOSE: return option_read_log(r, option->text, NULL, text);
    case ENABLE:
    case DISABLE: add_assertion(o, value, option->kind == ENABLE); break;
    case LIBRARY: add_agent(o, value, "=", false); break;
    case LIBRARY_PATH: add_agent(o, value, "=", true); break;
    case OLD_LIBRARY: add_agent(o, value, "=:", false); break;
    case JAVA_AGENT: add_java_agent(o, value); break;
    case SIZE: read_size(r, option, value); break;
    case PROPERTY: property_set(o, option->text, mem_strdup(value)); break;
    case FINALIZATION: return read_finalization(r, value);
    case UNSAFE_ACCESS: return read_unsafe_access(r, option, value);
    case PATCH:
        if (!strchr(value, '='))
            return option_fail(r, stdout,
                               "Missing '=' in --patch-module specification\n");
        property_add_numbered(o, option->text, value);
        break;
    case NUMBERED: property_add_numbered(o, option->text, value); break;
    }
    return true;
}
