/* SPDX-License-Identifier: MIT */
/*
 * minivm/test/judge.c -- class files, changed at random and judged.
 *
 *     judge mutate SEED COUNT OUTDIR FILE...
 *     judge JDK CLASSES OUTDIR
 *
 * mutate writes COUNT changed copies of the files.  The other prints a line for each
 * file of OUTDIR, as Verdicts.java does for a JVM, by the rules of the JDK's release.
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jdk/jdk.h"
#include "runtime/wellknown.h"
#include "test/world.h"

static uint64_t random_state;

/* splitmix64, the same on every machine. */
static uint32_t
random_below(uint32_t limit)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % limit);
}

/* A place in the code of a random method, or in its StackMapTable. */
static size_t
random_place(const struct classfile *cf, bool in_map)
{
    for (int tries = 0; tries < 100; tries++) {
        const struct cf_method *m = &cf->methods[random_below(cf->method_count)];

        if (in_map && m->stack_map.length > 0)
            return m->stack_map.offset + random_below(m->stack_map.length);
        if (!in_map && m->has_code)
            return (size_t)(m->code - cf->bytes) + random_below(m->code_length);
    }
    return random_below((uint32_t)cf->length);
}

enum where { IN_CODE, IN_MAP, ANYWHERE };

static size_t
place(const struct classfile *cf, enum where where)
{
    return where == ANYWHERE ? random_below((uint32_t)cf->length)
                             : random_place(cf, where == IN_MAP);
}

/* Change one byte: a little, altogether, or to one from such a place. */
static void
mutate(const struct classfile *cf, uint8_t *bytes, enum where where)
{
    size_t at = place(cf, where);

    switch (random_below(3)) {
    case 0:
        bytes[at] = (uint8_t)(bytes[at] + (random_below(2) != 0 ? 1 : -1));
        break;
    case 1:
        bytes[at] = (uint8_t)random_below(202);
        break;
    default:
        bytes[at] = bytes[place(cf, where)];
    }
}

static bool
write_mutant(const char *dir, unsigned number, const char *source)
{
    static const char *const names[] = { "code", "map", "any" };
    unsigned choice = random_below(10);
    enum where where = choice < 6 ? IN_CODE : choice < 8 ? IN_MAP : ANYWHERE;
    /* The samples may be of any release. */
    const struct classfile_options opts = { .max_major = UINT16_MAX };
    struct classfile_error err;
    struct classfile *cf;
    size_t length;
    uint8_t *bytes = read_whole_file(source, &length);
    char path[4096];
    FILE *out;

    if (bytes == NULL)
        return false;
    cf = classfile_parse(bytes, length, &opts, &err);
    if (cf == NULL) {
        fprintf(stderr, "%s: %s\n", source, err.message);
        return false;
    }
    /* One fault a file: a JVM may verify the methods in any order. */
    mutate(cf, bytes, where);
    snprintf(path, sizeof path, "%s/%06u-%s.class", dir, number, names[where]);
    out = fopen(path, "wb");
    if (out != NULL) {
        fwrite(bytes, 1, length, out);
        fclose(out);
    }
    classfile_free(cf);
    mem_free(bytes);
    return out != NULL;
}

static void
print_message(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n')
            fputs("\\n", stdout);
        else
            putchar(*text);
    }
    putchar('\n');
}

/* One of the errors that the parser or the verifier answers with. */
static void
print_error(const char *name, const char *message)
{
    printf("java.lang.%s: ", name);
    print_message(message);
}

static const char *
parse_error_name(enum classfile_error_kind kind)
{
    switch (kind) {
    case CLASSFILE_VERSION:
        return "UnsupportedClassVersionError";
    case CLASSFILE_WRONG_NAME:
        return "NoClassDefFoundError";
    default:
        return "ClassFormatError";
    }
}

static void
judge(struct world *w, const struct jdk_profile *profile, const uint8_t *bytes,
      size_t length)
{
    const struct classfile_options opts = {
        .max_major = (uint16_t)profile->max_class_major,
        .strict_names = release_has_strict_names(profile->feature),
    };
    struct classfile_error err;
    struct verify_result result;
    struct classfile *cf = classfile_parse(bytes, length, &opts, &err);

    if (cf == NULL) {
        print_error(parse_error_name(err.kind), err.message);
        return;
    }
    /* Older files are libverify's. */
    result = (struct verify_result){ .status = VERIFY_OK };
    if (!world_has_supers(w, cf))
        result.status = VERIFY_FAILED;
    else if (cf->major >= 50)
        world_verify(w, cf, &result);
    switch (result.status) {
    case VERIFY_OK:
        puts("OK");
        break;
    case VERIFY_FAILED:
        print_error("NoClassDefFoundError", w->missing->bytes);
        break;
    default:
        print_error(result.status == VERIFY_ERROR ? "VerifyError" : "ClassFormatError",
                    result.message == NULL ? "no memory" : result.message);
    }
    verify_result_release(&result);
    classfile_free(cf);
}

static int
judge_all(struct world *w, const struct jdk_profile *profile, const char *dir)
{
    struct dirent **entries;
    int count = scandir(dir, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = mem_printf("%s/%s", dir, entries[i]->d_name);
        size_t length;
        uint8_t *bytes = NULL;

        if (entries[i]->d_name[0] != '.')
            bytes = read_whole_file(path, &length);
        if (bytes != NULL) {
            printf("%s ", entries[i]->d_name);
            judge(w, profile, bytes, length);
        }
        mem_free(bytes);
        mem_free(path);
        free(entries[i]);
    }
    free(entries);
    return count < 0;
}

/* By the JDK in home; returns the exit status. */
static int
judge_by(const char *home, const char *classes, const char *dir)
{
    char *release = jdk_release(home), *image = mem_printf("%s/lib/modules", home);
    const struct jdk_profile *profile = profile_of(release ? atoi(release) : 0);
    struct world w;
    int result = 1;

    if (!profile) {
        fprintf(stderr, "judge: '%s' is no JDK that is served\n", home);
    } else if (world_init(&w, image, classes)) {
        w.feature = profile->feature;
        result = judge_all(&w, profile, dir);
        world_release(&w);
    }
    mem_free(image);
    mem_free(release);
    return result;
}

int
main(int argc, char **argv)
{

    if (argc > 5 && strcmp(argv[1], "mutate") == 0) {
        random_state = strtoul(argv[2], NULL, 10);
        for (unsigned i = 0; i < strtoul(argv[3], NULL, 10); i++)
            if (!write_mutant(argv[4], i, argv[5 + random_below((uint32_t)argc - 5)]))
                return 1;
        return 0;
    }
    if (argc != 4) {
        fputs("usage: judge mutate SEED COUNT OUTDIR FILE...\n"
              "       judge JDK CLASSES OUTDIR\n", stderr);
        return 2;
    }
    return judge_by(argv[1], argv[2], argv[3]);
}
