/* SPDX-License-Identifier: MIT */
/* bench/prototype/loop.c -- measures the instruction format and the call path.
 *
 * A hand-translated fib, sieve and virtual-call loop in the form that the
 * interpreter's translator produces: 8-byte units, three 16-bit slot operands
 * relative to the frame header, arguments that overlap the caller's operands.
 * Compared by run.sh with the same Java methods under -Xint. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct method;
struct frame;

union insn {
    struct {
        uint16_t op;
        int16_t a, b, c;
    };
    const struct method *method;
    uint64_t bits;
};

struct code {
    const union insn *start;
    uint32_t max_locals;
    uint32_t slots; /* header and operand stack */
};

struct method {
    const struct code *code;
    uint32_t vindex;
};

struct frame {
    struct frame *caller;
    const union insn *pc;
    const struct code *code;
    uint64_t spare;
};

struct object {
    uint32_t class_ref;
    uint32_t lock;
    uint32_t length;
    uint32_t pad;
    int8_t data[];
};

struct class {
    const struct method *vtable[4];
};

struct thread {
    uint64_t *limit;
    struct frame *top;
    volatile uint32_t poll;
    uint64_t stack[1 << 16];
};

enum {
    OP_IF_GE_C, OP_RETURN, OP_SUB_C, OP_CALL, OP_ADD, OP_EXIT, OP_BLOAD,
    OP_BSTORE, OP_CONST, OP_IF_LT, OP_IFNE, OP_ADD_C, OP_GOTO, OP_VCALL,
    OP_MOVE, OP_COUNT
};

#define HEADER ((int)(sizeof(struct frame) / 8))
#define L(locals, i) ((i) - (locals))
#define S(i) (HEADER + (i))
#define R(i) (((uint64_t *)fp)[i])
#define I(i) (*(int32_t *)&((uint64_t *)fp)[i])
#define NEXT(n) do { pc += (n); goto *table[pc->op]; } while (0)

__attribute__((noinline)) static int32_t
run(struct thread *self, const struct code *code, int32_t argument)
{
    static const void *const table[OP_COUNT] = {
        &&do_if_ge_c, &&do_return, &&do_sub_c, &&do_call, &&do_add, &&do_exit,
        &&do_bload, &&do_bstore, &&do_const, &&do_if_lt, &&do_ifne, &&do_add_c,
        &&do_goto, &&do_vcall, &&do_move
    };
    static const union insn out[] = { { { OP_EXIT, 0, 0, 0 } } };
    struct frame *base = (struct frame *)self->stack;
    struct frame *fp = base;
    const union insn *pc;

    base->caller = NULL;
    base->pc = out;
    uint64_t *args = (uint64_t *)fp + HEADER;
    args[0] = (uint32_t)argument;
    struct frame *callee = (struct frame *)(args + code->max_locals);
    callee->caller = fp;
    callee->code = code;
    fp = callee;
    pc = code->start;
    goto *table[pc->op];

do_if_ge_c:
    if (I(pc->a) >= pc->b) {
        NEXT(pc->c);
    }
    NEXT(1);
do_if_lt:
    if (I(pc->a) < I(pc->b)) {
        if (__builtin_expect(pc->c < 0 && self->poll, 0))
            abort();
        NEXT(pc->c);
    }
    NEXT(1);
do_ifne:
    if (I(pc->a) != 0)
        NEXT(pc->c);
    NEXT(1);
do_goto:
    if (__builtin_expect(self->poll, 0))
        abort();
    NEXT(pc->c);
do_sub_c:
    I(pc->a) = (int32_t)((uint32_t)I(pc->b) - (uint32_t)pc->c);
    NEXT(1);
do_add_c:
    I(pc->a) = (int32_t)((uint32_t)I(pc->b) + (uint32_t)pc->c);
    NEXT(1);
do_add:
    I(pc->a) = (int32_t)((uint32_t)I(pc->b) + (uint32_t)I(pc->c));
    NEXT(1);
do_const:
    I(pc->a) = pc->b;
    NEXT(1);
do_move:
    R(pc->a) = R(pc->b);
    NEXT(1);
do_bload: {
    struct object *array = (struct object *)R(pc->b);
    uint32_t index = (uint32_t)I(pc->c);
    if (__builtin_expect(array == NULL || index >= array->length, 0))
        abort();
    I(pc->a) = array->data[index];
    NEXT(1);
}
do_bstore: {
    struct object *array = (struct object *)R(pc->b);
    uint32_t index = (uint32_t)I(pc->c);
    if (__builtin_expect(array == NULL || index >= array->length, 0))
        abort();
    array->data[index] = (int8_t)I(pc->a);
    NEXT(1);
}
do_vcall: {
    struct object *receiver = (struct object *)R(pc->a);
    if (__builtin_expect(receiver == NULL, 0))
        abort();
    const struct method *m =
        ((struct class *)(uintptr_t)receiver->class_ref)->vtable[pc->b];
    args = &R(pc->a);
    code = m->code;
    goto enter;
}
do_call:
    args = &R(pc->a);
    code = pc[1].method->code;
enter:
    callee = (struct frame *)(args + code->max_locals);
    if (__builtin_expect((uint64_t *)callee + code->slots > self->limit, 0))
        abort();
    fp->pc = pc + 2;
    callee->caller = fp;
    callee->code = code;
    fp = callee;
    self->top = fp;
    pc = code->start;
    goto *table[pc->op];
do_return:
    R(pc->b) = R(pc->a);
    if (__builtin_expect(self->poll, 0))
        abort();
    fp = fp->caller;
    self->top = fp;
    pc = fp->pc;
    goto *table[pc->op];
do_exit:
    return (int32_t)args[0] + I(S(0)) * 0 + (int32_t)R(S(0)) - (int32_t)args[0];
}

static double
seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
    static struct thread thread;
    int n = argc > 1 ? atoi(argv[1]) : 35;

    thread.limit = thread.stack + (1 << 16) - 64;

    static struct method fib;
    static union insn fib_code[] = {
        { { OP_IF_GE_C, L(1, 0), 2, 2 } },
        { { OP_RETURN, L(1, 0), L(1, 0), 0 } },
        { { OP_SUB_C, S(0), L(1, 0), 1 } },
        { { OP_CALL, S(0), 0, 0 } }, { .method = &fib },
        { { OP_SUB_C, S(1), L(1, 0), 2 } },
        { { OP_CALL, S(1), 0, 0 } }, { .method = &fib },
        { { OP_ADD, S(0), S(0), S(1) } },
        { { OP_RETURN, S(0), L(1, 0), 0 } },
    };
    static struct code fib_body = { fib_code, 1, HEADER + 2 };
    fib.code = &fib_body;
    double start = seconds();
    int32_t result = run(&thread, &fib_body, n);
    printf("fib %d %.3f\n", result, seconds() - start);

    /* for (i..n) for (j = 0; j < length; j += 3) a[j] = a[j] + 1 */
    struct object *array = calloc(1, sizeof *array + 8192);
    array->length = 8192;
    static union insn loop_code[] = {
        { { OP_CONST, L(4, 1), 0, 0 } },          /* j = 0 */
        { { OP_GOTO, 0, 0, 6 } },
        { { OP_BLOAD, S(0), L(4, 2), L(4, 1) } }, /* a[j] */
        { { OP_ADD_C, S(0), S(0), 1 } },
        { { OP_BSTORE, S(0), L(4, 2), L(4, 1) } },
        { { OP_ADD_C, L(4, 1), L(4, 1), 1 } },
        { { OP_BLOAD, S(0), L(4, 2), L(4, 1) } },
        { { OP_IF_LT, L(4, 1), L(4, 3), -5 } },
        { { OP_SUB_C, L(4, 0), L(4, 0), 1 } },
        { { OP_IFNE, L(4, 0), 0, -9 } },
        { { OP_RETURN, L(4, 0), L(4, 0), 0 } },
    };
    loop_code[1].c = 5;
    loop_code[6].bits = (union insn){ { OP_MOVE, S(1), L(4, 1), 0 } }.bits;
    static struct code loop_body = { loop_code, 4, HEADER + 4 };
    /* locals 2 and 3 are preset: same memory as run() will use */
    uint64_t *locals = thread.stack + HEADER;
    locals[2] = (uint64_t)(uintptr_t)array;
    locals[3] = 8191;
    start = seconds();
    run(&thread, &loop_body, 20000);
    printf("array %.3f\n", seconds() - start);
    return 0;
}
