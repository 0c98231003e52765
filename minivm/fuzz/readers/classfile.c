/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/readers/classfile.c -- libFuzzer target for the class file parser, the verifier
 * and the frame maps. */

#include "classfile/classfile.h"

#include "base/log.h"
#include "classfile/framemap.h"
#include "classfile/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int
yes(void *context, const struct symbol *from, const struct symbol *to)
{
    (void)context;
    return from->length > 0 && to->length > 0 && to->bytes[0] != '[';
}

static int
no_protected(void *context, const struct symbol *class_name, const struct symbol *name,
             const struct symbol *descriptor, bool is_field)
{
    (void)context, (void)class_name, (void)name, (void)descriptor, (void)is_field;
    return 0;
}

/* Touch every kind, so that the sanitizer sees them. */
static void
touch(const struct framemap_code *code, uint32_t bci)
{
    struct framemap map;

    if (framemap_at(code, bci, &map))
        for (unsigned i = 0; i < map.max_locals + map.depth; i++)
            if (map.kinds[i] > SLOT_AMBIGUOUS)
                fatal("a kind that is none at %u", bci);
    framemap_clear(&map);
}

static void
use_method(const struct classfile *cf, const struct cf_method *m, bool verified)
{
    struct framemap_code code;

    switch (framemap_analyze(cf, m, &code)) {
    case FRAMEMAP_OK:
        for (uint32_t bci = 0; bci < m->code_length; bci++)
            touch(&code, bci);
        framemap_release(&code);
        break;
    case FRAMEMAP_BAD_CODE:
        /* What is verified has a map. */
        if (verified)
            fatal("no map of verified code at %u", code.error_bci);
        break;
    case FRAMEMAP_NO_MEMORY:
        break;
    }
}

static void
use(const struct classfile *cf)
{
    const struct verify_hooks hooks = { .assignable = yes,
                                        .protected_elsewhere = no_protected };
    struct verify_result result = { .status = VERIFY_ERROR };
    unsigned lines = 0;

    if (cf->major >= 50)
        verify_class(cf, &hooks, &result);
    for (unsigned i = 0; i < cf->method_count; i++) {
        lines += (unsigned)cf_line_at(&cf->methods[i], 7);
        if (cf->methods[i].has_code)
            use_method(cf, &cf->methods[i], result.status == VERIFY_OK);
    }
    if (result.status == VERIFY_ERROR && cf->major >= 50 && result.message == NULL)
        fatal("refused without a reason, %u", lines);
    verify_result_release(&result);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    /* The last byte chooses, so that seeds are plain class files. */
    unsigned choice = length > 0 ? bytes[length - 1] : 0;
    struct classfile_options options = { .max_major = 61,
                                         .relaxed = choice & 1,
                                         .privileged = choice & 2,
                                         .preview = choice & 4 };
    struct classfile_error error;
    struct classfile *cf = classfile_parse(bytes, length, &options, &error);

    if (cf == NULL && error.message[0] == '\0')
        fatal("refused without a reason");
    if (cf != NULL)
        use(cf);
    classfile_free(cf);
    return 0;
}
