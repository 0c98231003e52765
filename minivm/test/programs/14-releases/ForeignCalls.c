/* SPDX-License-Identifier: MIT */
/* The C functions of ForeignCalls.java. */

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int8_t
next_byte(int8_t n)
{
    return (int8_t)(n + 1);
}

int16_t
next_short(int16_t n)
{
    return (int16_t)(n + 1);
}

uint16_t
next_char(uint16_t n)
{
    return (uint16_t)(n + 1);
}

int32_t
next_int(int32_t n)
{
    return (int32_t)((uint32_t)n + 1);
}

int64_t
next_long(int64_t n)
{
    return (int64_t)((uint64_t)n + 1);
}

bool
negate(bool b)
{
    return !b;
}

float
half_float(float f)
{
    return f / 2;
}

double
half_double(double d)
{
    return d / 2;
}

/* More arguments than registers. */
double
sum_many(int8_t a, int64_t b, float c, double d, int16_t e, int32_t f, int64_t g,
         int32_t h, int32_t i, double j, float k, double l, double m, double n,
         double o, double p, double q)
{
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q;
}

/* As many ints as count says, each between a double and a long. */
double
sum_variadic(int count, ...)
{
    va_list args;
    double sum = 0;

    va_start(args, count);
    for (int i = 0; i < count; i++) {
        sum += va_arg(args, double);
        sum += va_arg(args, int);
        sum += (double)va_arg(args, int64_t);
    }
    va_end(args);
    return sum;
}

struct point {
    int32_t x, y;
};

struct mixed {
    int8_t tag;
    double weight;
};

struct large {
    int64_t values[5];
    struct point at;
};

struct point
mirror(struct point p)
{
    return (struct point){ p.y, p.x };
}

struct mixed
double_weight(struct mixed m)
{
    return (struct mixed){ (int8_t)-m.tag, m.weight * 2 };
}

struct large
rotate(struct large l, int by)
{
    struct large result = { .at = { l.at.y, l.at.x } };

    for (int i = 0; i < 5; i++)
        result.values[(i + by) % 5] = l.values[i];
    return result;
}

int
fail_with(int number)
{
    errno = number;
    return -1;
}

void
reverse(int32_t *numbers, int count)
{
    for (int i = 0; i < count / 2; i++) {
        int32_t n = numbers[i];
        numbers[i] = numbers[count - 1 - i];
        numbers[count - 1 - i] = n;
    }
}

int8_t
apply_byte(int8_t (*f)(int8_t), int8_t n)
{
    return f(n);
}

/* The caller sees the whole register. */
int64_t
apply_short(int16_t (*f)(int16_t), int16_t n)
{
    return (int64_t)f(n) * 2;
}

bool
apply_bool(bool (*f)(bool), bool b)
{
    return f(b);
}

float
apply_float(float (*f)(float, double), float a, double b)
{
    return f(a, b);
}

struct mixed
apply_struct(struct mixed (*f)(struct mixed, struct large), struct mixed m,
             struct large l)
{
    return f(m, l);
}

struct call {
    int32_t (*f)(int32_t);
    int32_t n;
};

static void *
run(void *arg)
{
    struct call *call = arg;

    call->n = call->f(call->n);
    return NULL;
}

/* Calls f in a thread that Java does not know. */
int32_t
apply_elsewhere(int32_t (*f)(int32_t), int32_t n)
{
    struct call call = { f, n };
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, &call) != 0)
        return -1;
    pthread_join(thread, NULL);
    return call.n;
}
