/* SPDX-License-Identifier: MIT */
/* minivm/test/releases-t.c -- the tables of names and C bodies against each JDK that is
 * found: each class, field and method that a row names for the release must be there.
 *
 * When a class library has changed, this says which rows are wrong, name by name; the VM
 * itself would end at the first one, or never call a C body any more. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "interp/interp.h"
#include "jdk/jdk.h"
#include "test/tap.h"
#include "test/world.h"

/* One JDK under test. */
struct release {
    int feature;
    struct world world;
    const struct jdk_profile *profile;
    int missing; /* rows whose name is not there */
};

static const struct classfile *
find_class(struct release *r, const char *name)
{
    const struct classfile *cf = world_find(&r->world, symbol_of(name));

    if (!cf) {
        diag("JDK %d has no class %s", r->feature, name);
        r->missing++;
    }
    return cf;
}

static bool
has_field(const struct classfile *cf, const struct profile_field *f)
{
    for (unsigned i = 0; i < cf->field_count; i++)
        if (symbol_equals(cf->fields[i].name, f->name)
            && symbol_equals(cf->fields[i].descriptor, f->descriptor))
            return true;
    return false;
}

/* Counts and names the method if the class is there and has none such. */
static void
check_method(struct release *r, const char *class_name, const char *name,
             const char *descriptor)
{
    const struct classfile *cf = find_class(r, class_name);

    if (cf && !find_method(cf, symbol_of(name), symbol_of(descriptor))) {
        diag("JDK %d has no method %s.%s%s", r->feature, class_name, name, descriptor);
        r->missing++;
    }
}

static void
check_known(struct release *r)
{
    const struct jdk_profile *p = r->profile;

    r->missing = 0;
    for (int i = 0; i < KNOWN_CLASS_COUNT; i++)
        if (p->class_names[i])
            find_class(r, p->class_names[i]);
    is_int(r->missing, 0, "the well-known classes are in JDK %d", r->feature);
    r->missing = 0;
    for (int i = 0; i < KNOWN_FIELD_COUNT; i++) {
        const struct profile_field *f = &p->fields[i];
        const struct classfile *cf = f->name && !f->is_injected
                                         ? find_class(r, p->class_names[f->owner])
                                         : NULL;
        if (cf && !has_field(cf, f)) {
            diag("JDK %d has no field %s.%s %s", r->feature, p->class_names[f->owner],
                 f->name, f->descriptor);
            r->missing++;
        }
    }
    is_int(r->missing, 0, "the well-known fields are in JDK %d", r->feature);
    r->missing = 0;
    for (int i = 0; i < KNOWN_METHOD_COUNT; i++)
        if (p->methods[i].name)
            check_method(r, p->class_names[p->methods[i].owner], p->methods[i].name,
                         p->methods[i].descriptor);
    is_int(r->missing, 0, "the well-known methods are in JDK %d", r->feature);
}

/* For intrinsics_visit. */
static void
check_body(void *context, const char *class_name, const struct intrinsic *row)
{
    struct release *r = context;

    /* Updates of a release have got this one. */
    if (!strcmp(class_name, "java/lang/ref/Reference") && !strcmp(row->name, "get0"))
        return;
    if (release_is_in(r->feature, row->releases))
        check_method(r, class_name, row->name, row->descriptor);
}

/* The JDK in home, if it is one of that release. */
static void
check_jdk(int feature, const char *home)
{
    char *release = home ? jdk_release(home) : NULL;
    if (release && atoi(release) != feature)
        home = NULL;
    mem_free(release);

    struct release r = { .feature = feature, .profile = profile_of(feature) };
    char *image = home && *home ? mem_printf("%s/lib/modules", home) : NULL;

    if (!image || access(image, R_OK) != 0) {
        skip("there is no JDK %d", feature);
    } else if (ok(r.profile && world_init(&r.world, image, NULL), "JDK %d is served",
                  feature)) {
        check_known(&r);
        r.missing = 0;
        intrinsics_visit(check_body, &r);
        is_int(r.missing, 0, "the methods with C bodies are in JDK %d", feature);
        world_release(&r.world);
    }
    mem_free(image);
}

int
main(void)
{
    intrinsics_init();
    jdk_register_bodies();
    check_jdk(17, getenv("JDK17"));
    check_jdk(21, getenv("JDK21"));
    check_jdk(25, getenv("JDK25"));
    ok(profile_of(16) == NULL && profile_of(18) == NULL && profile_of(26) == NULL,
       "other releases have no profile");
    return done_testing();
}
