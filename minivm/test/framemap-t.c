/* SPDX-License-Identifier: MIT */
/* minivm/test/framemap-t.c -- what the slots of a frame hold. */

#include "classfile/framemap.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "test/assembler.h"
#include "test/tap.h"
#include "test/world.h"

enum { MAX_LOCALS = 4, MAX_STACK = 4 };

/* A class with one method; static unless its descriptor's test says otherwise. */
static struct classfile *
assemble(const char *descriptor, const char *code)
{
    const struct classfile_options options = { .max_major = 61 };
    struct classfile_error error;
    struct assembler a;
    struct classfile *cf;
    size_t length;
    uint8_t *bytes;

    assembler_init(&a, "A", NULL, 49);
    assembler_method(&a, ACC_STATIC, "m", descriptor, MAX_STACK, MAX_LOCALS, code);
    bytes = assembler_finish(&a, &length);
    cf = classfile_parse(bytes, length, &options, &error);
    mem_free(bytes);
    if (cf == NULL) {
        diag("%s", error.message);
        exit(1);
    }
    return cf;
}

/* The kinds as letters, locals and operands divided by a bar. */
static void
spell(const struct framemap *map, char *text)
{
    static const char letters[] = {
        [SLOT_UNUSABLE] = '.',  [SLOT_INT] = 'I',       [SLOT_FLOAT] = 'F',
        [SLOT_LONG] = 'J',      [SLOT_DOUBLE] = 'D',    [SLOT_HALF] = '-',
        [SLOT_REFERENCE] = 'A', [SLOT_RETURN_ADDRESS] = 'R', [SLOT_AMBIGUOUS] = '?',
    };
    char *to = text;

    for (unsigned i = 0; i < map->max_locals; i++)
        *to++ = letters[map->kinds[i]];
    *to++ = '|';
    for (unsigned i = 0; i < map->depth; i++)
        *to++ = letters[map->kinds[map->max_locals + i]];
    *to = '\0';
}

/* The frame before bci is what the text says. */
static void
check_at(const char *descriptor, const char *code, uint32_t bci, const char *want)
{
    struct classfile *cf = assemble(descriptor, code);
    char got[MAX_LOCALS + MAX_STACK + 2] = "no map";
    struct framemap map;

    if (framemap_compute(cf, &cf->methods[0], bci, &map))
        spell(&map, got);
    is_string(got, want, "%s at %u", descriptor, bci);
    framemap_clear(&map);
    classfile_free(cf);
}

static void
check_bad(const char *what, const char *code)
{
    struct classfile *cf = assemble("()V", code);
    struct framemap_code map;

    is_int(framemap_analyze(cf, &cf->methods[0], &map), FRAMEMAP_BAD_CODE, "%s", what);
    classfile_free(cf);
}

static void
test_straight(void)
{
    const char *code = "lload 0\n aload 2\n dup_x2\n pop\n pop2\n"
                       "iconst_1\n i2d\n dstore 0\n nop\n return";

    check_at("(JLA;)V", code, 0, "J-A.|");
    check_at("(JLA;)V", code, 2, "J-A.|J-");
    check_at("(JLA;)V", code, 4, "J-A.|J-A");
    check_at("(JLA;)V", code, 5, "J-A.|AJ-A");
    check_at("(JLA;)V", code, 7, "J-A.|A");
    check_at("(JLA;)V", code, 8, "J-A.|AI");
    check_at("(JLA;)V", code, 9, "J-A.|AD-");
    check_at("(JLA;)V", code, 11, "D-A.|A");
    check_at("([IFD)V", "return", 0, "AFD-|");
    check_at("(JLA;)V", "iconst_0\n istore 1\n return", 3, ".IA.|");
    check_at("(JLA;)V", "aload 2\n astore 0\n return", 4, "A.A.|");
    check_at("()V", "ldc string s\n getstatic A x [J\n getstatic A y D\n return", 8,
             "....|AAD-");
    check_at("()V", "iconst_1\n lconst_0\n invokestatic A m (IJ)LA;\n return", 5,
             "....|A");
    check_at("()V", "iconst_1\n newarray 7\n iconst_0\n faload\n return", 5, "....|F");
}

static void
test_merges(void)
{
    check_at("(I)V", "iload 0\n ifeq L\n aconst_null\n astore 1\n goto M\n L:\n "
                     "iconst_0\n"
             "istore 1\n M:\n return", 14, "I...|");
    check_at("(I)V", "iload 0\n ifeq L\n aconst_null\n astore 1\n goto M\n L:\n"
             "new A\n astore 1\n M:\n return", 16, "IA..|");
    /* The loop's second round changes what its head sees. */
    check_at("(I)V", "aconst_null\n astore 1\n L:\n iload 0\n ifeq M\n iconst_0\n"
             "istore 1\n goto L\n M:\n return", 14, "I...|");
    check_at("(I)V", "aconst_null\n iload 0\n tableswitch 0 L L M\n L:\n pop\n "
                     "return\n M:\n"
             "return", 26, "I...|A");
}

static void
test_handlers(void)
{
    /* The handler sees local 1 both before and after the store. */
    check_at("(LA;)V", "A:\n aload 0\n astore 1\n nop\n B:\n return\n H:\n return\n"
             ".catch A B H any", 6, "A...|A");
    check_at("(LA;)V", "aload 0\n astore 1\n A:\n nop\n B:\n return\n H:\n return\n"
             ".catch A B H any", 6, "AA..|A");
    check_at("(LA;)V", "goto E\n A:\n nop\n B:\n return\n H:\n return\n E:\n return\n"
             ".catch A B H any", 5, "....|");
}

/* javac of old: finally is a subroutine. */
static void
test_subroutines(void)
{
    const char *code = "aload 0\n astore 1\n jsr S\n aload 1\n pop\n"   /*  0 2 4 7 9 */
                       "iconst_0\n istore 1\n jsr S\n iload 1\n pop\n" /* 10 .. 16 18 */
                       "return\n"                                     /* 19 */
                       "S:\n astore 2\n iconst_1\n istore 3\n ret 2"; /* 20 22 23 25 */

    check_at("(LA;)V", code, 4, "AA..|");
    check_at("(LA;)V", code, 7, "AARI|");
    check_at("(LA;)V", code, 16, "AIRI|");
    check_at("(LA;)V", code, 19, "AIRI|");
    check_at("(LA;)V", code, 20, "A?..|R");
    check_at("(LA;)V", code, 22, "A?R.|");
    check_at("(LA;)V", code, 25, "A?RI|");
    check_at("(LA;)V", "iconst_0\n istore 1\n jsr S\n return\n S:\n astore 2\n jsr T\n"
             "ret 2\n T:\n astore 3\n aload 0\n astore 1\n ret 3", 6, "AARR|");
    check_bad("a subroutine that calls itself",
              "jsr S\n return\n S:\n pop\n jsr S\n return");
    check_bad("ret outside", "iconst_0\n istore 0\n ret 0");
    check_bad("ret to a place that is no more",
              "jsr S\n L:\n ret 0\n S:\n astore 0\n ret 0");
}

static void
test_bad(void)
{
    check_bad("underflow", "pop\n return");
    check_bad("overflow", "lconst_0\n lconst_0\n iconst_0\n return");
    check_bad("a local out of range", "iload 4\n return");
    check_bad("the upper half out of range", "lload 3\n return");
    check_bad("different depths", "iconst_0\n ifeq L\n iconst_0\n L:\n return");
    check_bad("a target inside an instruction", "byte 0xa7 0 1\n return");
    check_bad("a target outside", "byte 0xa7 1 1");
    check_bad("falling off the end", "nop");
    check_bad("an unknown instruction", "byte 0xd0");
    check_bad("a field that is none", "getstatic #1\n return");
    check_bad("an instruction cut short", "byte 0x11 0");
}

static void
test_flags(void)
{
    struct classfile *cf = assemble("(I)V",
                                    "L:\n iload 0\n ifeq M\n iinc 0 -1\n goto L\n"
                                    "nop\n M:\n jsr S\n return\n S:\n astore 1\n ret "
                                    "1");
    const struct cf_method *m = &cf->methods[0];
    unsigned reached = 0, equal = 0;
    struct framemap_code code;
    struct framemap map;

    is_int(framemap_analyze(cf, m, &code), FRAMEMAP_OK, "analysed");
    for (uint32_t bci = 0; bci < m->code_length; bci++)
        if (code.flags[bci] & CODE_REACHED) {
            reached++;
            equal += framemap_at(&code, bci, &map) && map.reached &&
                     map.depth == code.depth[bci];
            framemap_clear(&map);
        }
    is_int(reached, 8, "every instruction that is reached");
    is_int(equal, reached, "has the depth that the analysis says");
    ok((code.flags[0] & (CODE_LOOP | CODE_TARGET | CODE_LEADER)) ==
           (CODE_LOOP | CODE_TARGET | CODE_LEADER), "a loop's head");
    is_int(code.flags[11], CODE_START | CODE_LEADER, "dead code is not reached");
    is_int(code.flags[1], 0, "no instruction inside another");
    framemap_release(&code);
    classfile_free(cf);
}

/* Read a StackMapTable beside the frame maps: they must agree on what both know. */
struct table {
    struct reader r;
    uint8_t locals[256], stack[256];
    unsigned local_count, stack_count;
};

static void
read_kinds(struct table *t, unsigned n, uint8_t *kinds, unsigned *count)
{
    static const uint8_t by_tag[] = { SLOT_UNUSABLE, SLOT_INT, SLOT_FLOAT, SLOT_DOUBLE,
                                      SLOT_LONG };

    for (; n > 0; n--) {
        unsigned tag = reader_u1(&t->r);

        if (tag >= 7)
            reader_bytes(&t->r, 2);
        kinds[(*count)++] = tag < 5 ? by_tag[tag] : SLOT_REFERENCE;
        if (tag == 3 || tag == 4)
            kinds[(*count)++] = SLOT_HALF;
    }
}

/* The next frame; its distance to the one before. */
static unsigned
read_frame(struct table *t)
{
    unsigned type = reader_u1(&t->r), delta = type < 128 ? type % 64 : reader_u2(&t->r);

    t->stack_count = 0;
    if ((type >= 64 && type < 128) || type == 247) {
        read_kinds(t, 1, t->stack, &t->stack_count);
    } else if (type >= 248 && type < 251) {
        for (unsigned n = 251 - type; n > 0; n--)
            t->local_count -= t->locals[t->local_count - 1] == SLOT_HALF ? 2 : 1;
    } else if (type > 251 && type < 255) {
        read_kinds(t, type - 251, t->locals, &t->local_count);
    } else if (type == 255) {
        t->local_count = 0;
        read_kinds(t, reader_u2(&t->r), t->locals, &t->local_count);
        read_kinds(t, reader_u2(&t->r), t->stack, &t->stack_count);
    }
    return delta;
}

static bool
agree(const struct table *t, const struct framemap *map)
{
    if (!map->reached)
        return true;
    if (map->depth != t->stack_count)
        return false;
    for (unsigned i = 0; i < t->local_count; i++)
        if (t->locals[i] != SLOT_UNUSABLE && t->locals[i] != map->kinds[i])
            return false;
    return memcmp(t->stack, map->kinds + map->max_locals, t->stack_count) == 0;
}

/* The number of frames of m that agree; *frames counts all. */
static unsigned
compare_method(const struct classfile *cf, const struct cf_method *m, unsigned *frames)
{
    struct framemap_code code;
    struct framemap first, map;
    struct table t = { .local_count = 0 };
    unsigned good = 0, n;
    uint32_t bci = 0;

    if (framemap_analyze(cf, m, &code) != FRAMEMAP_OK) {
        diag("%s.%s%s at %u", cf->this_class->bytes, m->name->bytes,
             m->descriptor->bytes, code.error_bci);
        ++*frames;
        return 0;
    }
    if (m->stack_map.offset != 0 && framemap_at(&code, 0, &first)) {
        t.local_count = m->arg_slots;
        memcpy(t.locals, first.kinds, m->arg_slots);
        framemap_clear(&first);
        t.r = reader_of(cf->bytes + m->stack_map.offset, m->stack_map.length);
        n = reader_u2(&t.r);
        for (unsigned i = 0; i < n; i++) {
            bci += read_frame(&t) + (i > 0);
            ++*frames;
            good += framemap_at(&code, bci, &map) && agree(&t, &map);
            framemap_clear(&map);
        }
    }
    framemap_release(&code);
    return good;
}

static void
test_jdk(void)
{
    const char *path = world_image_path();
    unsigned frames = 0, good = 0;
    struct jimage_location location;
    struct world w;
    size_t cursor = 0;

    if (path == NULL || !world_init(&w, path, NULL)) {
        skip("no JDK");
        return;
    }
    while (jimage_next(w.image, &cursor, &location)) {
        const struct classfile *cf;
        char *name;

        if (strncmp(location.parent, "java/util", 9) != 0)
            continue;
        name = mem_printf("%s/%s", location.parent, location.base);
        cf = world_find(&w, symbol_of(name));
        mem_free(name);
        for (unsigned i = 0; cf != NULL && i < cf->method_count; i++)
            if (cf->methods[i].has_code)
                good += compare_method(cf, &cf->methods[i], &frames);
    }
    world_release(&w);
    ok(frames > 10000, "%u frames of java/util", frames);
    is_int(good, frames, "the maps agree with javac's");
}

int
main(void)
{
    test_straight();
    test_merges();
    test_handlers();
    test_subroutines();
    test_bad();
    test_flags();
    test_jdk();
    return done_testing();
}
