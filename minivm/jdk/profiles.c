/* SPDX-License-Identifier: MIT */
/* minivm/jdk/profiles.c -- the profile of each release of the class library, and its
 * choice.
 *
 * A profile (struct jdk_profile, runtime/wellknown.h) is all that the VM knows of one
 * release: its number, the newest class file that it has, the level of JVM TI and JNI,
 * and the names of known.def.  The VM reads the release from the JDK's folder and
 * refuses to start when releases.def has no row for it.
 *
 * The rows of known.def say for which releases they are.  profile_of copies those of
 * the release at hand into the three arrays of its profile, which the enumerations of
 * wellknown.h index; what no row of the release names stays NULL. */

#include "jdk/jdk.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "jdk/jmm.h"

/* A row of known.def, of any of the three kinds; owner and what follows are unused by
   rows of classes but for name, the class's. */
struct known_row {
    struct releases releases;
    unsigned id;
    enum known_class owner;
    const char *name, *descriptor;
    bool is_injected;
};

static const struct known_row class_rows[] = {
#define CLASS_IN(since, until, id, path) \
    { { since, until }, KNOWN_CLASS_##id, (enum known_class)0, path, NULL, false },
#include "jdk/known.def"
};

static const struct known_row field_rows[] = {
#define FIELD_IN(since, until, id, owner, name, type, injected) \
    { { since, until }, KNOWN_FIELD_##id, KNOWN_CLASS_##owner, name, type, injected },
#include "jdk/known.def"
};

static const struct known_row method_rows[] = {
#define METHOD_IN(since, until, id, owner, name, type) \
    { { since, until }, KNOWN_METHOD_##id, KNOWN_CLASS_##owner, name, type, false },
#include "jdk/known.def"
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static const struct jdk_profile releases[] = {
#define RELEASE(number, class_file, jvmti, jni, jmm, unmount) \
    { .feature = number, \
      .max_class_major = class_file, \
      .jvmti_version = 0x30000000 | (jvmti) << 16, \
      .jni_version = jni, \
      .jmm_version = jmm, \
      .monitors_unmount = unmount },
#include "jdk/releases.def"
};

/* Copies the rows of p's release into its arrays. */
static void
fill(struct jdk_profile *p)
{
    for (const struct known_row *r = class_rows; r < class_rows + COUNT(class_rows);
         r++)
        if (release_is_in(p->feature, r->releases))
            p->class_names[r->id] = r->name;
    for (const struct known_row *r = field_rows; r < field_rows + COUNT(field_rows);
         r++)
        if (release_is_in(p->feature, r->releases))
            p->fields[r->id] = (struct profile_field){ r->owner, r->name, r->descriptor,
                                                       r->is_injected };
    for (const struct known_row *r = method_rows; r < method_rows + COUNT(method_rows);
         r++)
        if (release_is_in(p->feature, r->releases))
            p->methods[r->id] = (struct profile_method){ r->owner, r->name,
                                                         r->descriptor };
}

const struct jdk_profile *
profile_of(int feature)
{
    for (const struct jdk_profile *r = releases; r < releases + COUNT(releases); r++)
        if (r->feature == feature) {
            struct jdk_profile *p = mem_alloc(sizeof *p);

            memcpy(p, r, sizeof *p);
            fill(p);
            return p;
        }
    return NULL;
}

/* Lines are cut at 511 bytes, which JAVA_VERSION does not come near to. */
char *
jdk_release(const char *home)
{
    char *path = mem_printf("%s/release", home), *release = NULL;
    FILE *f = fopen(path, "re");
    char line[512], value[64];

    while (f && !release && fgets(line, sizeof line, f))
        if (sscanf(line, "JAVA_VERSION=\"%63[^\"\r\n]", value) == 1)
            release = mem_strdup(value);
    if (f)
        fclose(f);
    mem_free(path);
    return release;
}

char *
profile_list(void)
{
    struct buf b = { 0 };

    for (size_t i = 0; i < COUNT(releases); i++)
        buf_printf(&b, "%s%d",
                   i == 0                     ? ""
                   : i + 1 == COUNT(releases) ? " and "
                                              : ", ",
                   releases[i].feature);
    return buf_steal(&b, NULL);
}
