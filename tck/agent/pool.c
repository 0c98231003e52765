/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/pool.c -- Get Constant Pool, against the class file.  The pool need be none
 * of the file's: what counts are the entries that the code of GetBytecodes names, which
 * have to mean what those of the file's code mean.
 */
#include "tck/agent/heap_walk.h"
#include "tck/lib/classfile.h"
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

/* The formats of operands that the table of opcodes names. */
enum format {
    NONE, L0, L1, L2, L3, BYTE, SHORT, CP1, CP2, LOCAL, IINC, BRANCH2, BRANCH4, TABLE,
    LOOKUP, INTERFACE, DYNAMIC, ATYPE, MULTI, WIDE
};

static const struct { bool known; enum format format; } opcodes[256] = {
#define OPCODE(number, name, format, flow, pops, pushes) [number] = { true, format },
#include "sdk/spec/opcodes.def"
#undef OPCODE
};

static unsigned
u2(const unsigned char *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static uint32_t
u4(const unsigned char *p)
{
    return (uint32_t)u2(p) << 16 | u2(p + 2);
}

/* How many bytes the instruction at pc has (JVMS 6.5); 0: there is none. */
static uint32_t
instruction_size(const unsigned char *code, uint32_t pc)
{
    const unsigned char *operands = code + ((pc + 4) & ~3u);

    if (!opcodes[code[pc]].known)
        return 0;
    switch (opcodes[code[pc]].format) {
    case BYTE: case CP1: case LOCAL: case ATYPE:
        return 2;
    case SHORT: case CP2: case IINC: case BRANCH2:
        return 3;
    case MULTI:
        return 4;
    case BRANCH4: case INTERFACE: case DYNAMIC:
        return 5;
    case TABLE:
        return (uint32_t)(operands - code) - pc + 12
            + 4 * (u4(operands + 8) - u4(operands + 4) + 1);
    case LOOKUP:
        return (uint32_t)(operands - code) - pc + 8 + 8 * u4(operands + 4);
    case WIDE:
        return opcodes[code[pc + 1]].format == IINC ? 6 : 4;
    default:
        return 1;
    }
}

/* The pool index in the instruction; 0: none. */
static unsigned
pool_index(const unsigned char *instruction)
{
    switch (opcodes[instruction[0]].format) {
    case CP1:
        return instruction[1];
    case CP2: case INTERFACE: case DYNAMIC: case MULTI:
        return u2(instruction + 1);
    default:
        return 0;
    }
}

/* Do the two entries mean the same (JVMS 4.4)? */
static bool
same_constant(const struct classfile *a, unsigned i, const struct classfile *b,
              unsigned k)
{
    const unsigned char *p, *q;

    if (i >= a->pool_count || k >= b->pool_count || a->pool[i] == 0 || b->pool[k] == 0)
        return false;
    p = a->bytes + a->pool[i];
    q = b->bytes + b->pool[k];
    if (p[0] != q[0])
        return false;
    switch (p[0]) {
    case 1:                                     /* Utf8 */
        return u2(p + 1) == u2(q + 1) && memcmp(p + 3, q + 3, u2(p + 1)) == 0;
    case 3: case 4:                             /* Integer, Float */
        return memcmp(p + 1, q + 1, 4) == 0;
    case 5: case 6:                             /* Long, Double */
        return memcmp(p + 1, q + 1, 8) == 0;
    case 7: case 8: case 16:                    /* Class, String, MethodType */
        return same_constant(a, u2(p + 1), b, u2(q + 1));
    case 9: case 10: case 11: case 12:          /* members, NameAndType */
        return same_constant(a, u2(p + 1), b, u2(q + 1))
            && same_constant(a, u2(p + 3), b, u2(q + 3));
    case 15:                                    /* MethodHandle */
        return p[1] == q[1] && same_constant(a, u2(p + 2), b, u2(q + 2));
    case 17: case 18:                           /* of another attribute, NameAndType */
        return same_constant(a, u2(p + 3), b, u2(q + 3));
    }
    return false;
}

/* A class file with the pool that the VM gives, nothing else; NULL fails the case. */
static struct classfile *
given_pool(struct tck *t, jclass klass)
{
    struct classfile *file = malloc(sizeof *file);
    static const unsigned char head[8] = { 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 55 };
    unsigned char *pool = NULL, *whole;
    jint count = 0, size = 0;
    bool well;

    if (file == NULL || !tck_want(t, "GetConstantPool", JVMTI_ERROR_NONE,
                                  (*t->jvmti)->GetConstantPool(t->jvmti, klass, &count,
                                                               &size, &pool))) {
        free(file);
        return NULL;
    }
    whole = calloc(1, (size_t)size + 26);
    memcpy(whole, head, sizeof head);
    whole[8] = (unsigned char)(count >> 8);
    whole[9] = (unsigned char)count;
    memcpy(whole + 10, pool, (size_t)size);
    (*t->jvmti)->Deallocate(t->jvmti, pool);
    well = tck_true(t, "the pool parses", classfile_parse(file, whole, size + 26u))
        && tck_same(t, "size of its entries", size, (long long)file->after_pool - 10);
    if (!well) {
        free(whole);
        free(file);
    }
    return well ? file : NULL;
}

/* Go through both codes in step; how many constants were compared.  That the code is the
   class file's is not said where the pool is, and has a case of its own. */
static int
compare_code(struct tck *t, const struct classfile *given, const unsigned char *code,
             const struct classfile *file, const unsigned char *filed, uint32_t length)
{
    int compared = 0;

    for (uint32_t pc = 0; pc < length && !t->failed;) {
        uint32_t size = instruction_size(filed, pc);

        if (size == 0 || code[pc] != filed[pc]) {
            tck_skip(t, "at %u the code has opcode %d, the class file %d", pc, code[pc],
                     filed[pc]);
            break;
        }
        if (pool_index(filed + pc) != 0) {
            if (!same_constant(given, pool_index(code + pc), file,
                               pool_index(filed + pc)))
                tck_fail(t, "at %u constant %u is not what constant %u of the class "
                         "file is", pc, pool_index(code + pc), pool_index(filed + pc));
            compared++;
        }
        pc += size;
    }
    return compared;
}

static int
compare_method(struct tck *t, const struct classfile *given, jmethodID method,
               const struct classfile *file)
{
    char *name = NULL, *descriptor = NULL;
    const unsigned char *filed;
    unsigned char *code = NULL;
    uint32_t length = 0;
    unsigned locals;
    jint count = 0;
    int compared = 0;

    tck_want(t, "GetMethodName", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetMethodName(t->jvmti, method, &name, &descriptor, NULL));
    filed = t->failed ? NULL : classfile_code(file, name, descriptor, &length, &locals);
    if (filed != NULL
        && tck_want(t, "GetBytecodes", JVMTI_ERROR_NONE,
                    (*t->jvmti)->GetBytecodes(t->jvmti, method, &count, &code))) {
        if ((uint32_t)count != length)
            tck_skip(t, "the code of %s is not the class file's", name);
        else
            compared = compare_code(t, given, code, file, filed, length);
    }
    (*t->jvmti)->Deallocate(t->jvmti, code);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)name);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)descriptor);
    return compared;
}

/* Compare what all code of the class names with the class file; at least so often. */
static void
compare_class(struct tck *t, jclass klass, const unsigned char *bytes, jint size,
              int least)
{
    struct classfile *file = malloc(sizeof *file), *given = given_pool(t, klass);
    jmethodID *methods = NULL;
    jint count = 0;
    int compared = 0;

    if (given != NULL && file != NULL
        && tck_true(t, "the class file parses", classfile_parse(file, bytes, size))
        && tck_want(t, "GetClassMethods", JVMTI_ERROR_NONE,
                    (*t->jvmti)->GetClassMethods(t->jvmti, klass, &count, &methods))) {
        for (jint i = 0; i < count && !t->failed; i++)
            compared += compare_method(t, given, methods[i], file);
        tck_true(t, "constants were compared", compared >= least);
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)methods);
    }
    if (given != NULL)
        free((void *)given->bytes);
    free(given);
    free(file);
}

TCK_CASE("class", pool, "GetConstantPool.behaviour.used-by-code", "Get Constant Pool",
         377)
{
    /* Members, strings, long and double, lambdas, and a switch between them. */
    static const struct { const char *name; int least; } targets[] = {
        { "tck/Model", 9 }, { "tck/Stage", 80 }, { "tck/Kinds", 4 }, { "tck/Bare", 1 }
    };

    NEED("can_get_constant_pool");
    NEED("can_get_bytecodes");
    for (size_t i = 0; i < sizeof targets / sizeof targets[0] && !t->failed; i++) {
        jint size = 0;
        unsigned char *bytes = stage_bytes(t, targets[i].name, &size);

        compare_class(t, stage_class(t, targets[i].name), bytes, size,
                      targets[i].least);
        free(bytes);
    }
}

static void
redefine(struct tck *t, jclass klass, const unsigned char *bytes, jint size)
{
    jvmtiClassDefinition definition = { klass, size, bytes };

    tck_want(t, "RedefineClasses", JVMTI_ERROR_NONE,
             (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition));
}

TCK_CASE("class", pool_redefined, "GetConstantPool.behaviour.redefined",
         "Get Constant Pool", 379)
{
    jclass klass = stage_class(t, "tck/Redef");
    jint size = 0, new_size = 0;
    unsigned char *bytes, *changed;

    NEED("can_get_constant_pool");
    NEED("can_get_bytecodes");
    NEED("can_redefine_classes");
    bytes = stage_bytes(t, "tck/Redef", &size);
    changed = stage_bytes(t, "variants/changed/tck/Redef", &new_size);
    redefine(t, klass, changed, new_size);
    compare_class(t, klass, changed, new_size, 1);
    redefine(t, klass, bytes, size);
    compare_class(t, klass, bytes, size, 1);
    free(bytes);
    free(changed);
}

/* Is it the entry of a String, of this text? */
static bool
is_string(const struct classfile *pool, jint index, const char *text)
{
    const unsigned char *entry;

    if (index <= 0 || (unsigned)index >= pool->pool_count || pool->pool[index] == 0)
        return false;
    entry = pool->bytes + pool->pool[index];
    return entry[0] == 8 && classfile_utf8_is(pool, u2(entry + 1), text);
}

TCK_CASE("heap", pool_references, "FollowReferences.behaviour.constant-pool-index",
         "jvmtiHeapReferenceInfoConstantPool", 693)
{
    jobject text = stage_call(t, "tck/Graph", "constant", "()Ljava/lang/String;");
    jclass k = stage_class(t, "tck/Graph");
    struct classfile *pool;
    int found = 0;

    NEED("can_tag_objects");
    NEED("can_get_constant_pool");
    walk_reset();
    walk_tag(t, text, 720);
    walk_tag(t, k, 721);
    FOLLOW(0, NULL, k, &walk_reference_callbacks);
    walk_forget(t, 720, 721);
    pool = given_pool(t, k);
    for (int i = 0; i < walk.edge_count && pool != NULL; i++) {
        const struct edge *e = &walk.edges[i];

        if (e->kind != JVMTI_HEAP_REFERENCE_CONSTANT_POOL || e->from != 721
            || e->to != 720)
            continue;
        found++;
        tck_true(t, "the index is that of the string's entry",
                 is_string(pool, e->index, "a constant of tck.Graph"));
    }
    if (pool != NULL)
        free((void *)pool->bytes);
    free(pool);
    /* A VM may keep what it resolves elsewhere. */
    if (found == 0)
        tck_skip(t, "the VM tells no reference from the pool to the string");
}
