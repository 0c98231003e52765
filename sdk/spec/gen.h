/* SPDX-License-Identifier: MIT */
/*
 * sdk/spec/gen.h -- the generator: facts tables in, C text out.
 *
 * It runs on the build machine.  A product is written to standard output; whatever is
 * wrong with a table ends the program with a message and exit code 1.
 */
#ifndef SDK_SPEC_GEN_H
#define SDK_SPEC_GEN_H

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

struct facts {
    const cJSON *jvmti;         /* jvmti-21.json */
    const cJSON *jni;           /* jni.json */
    const char *implemented;    /* text of a further file that a product takes, or
                                   NULL: the list of implemented functions, advice */
};

/* Products, one file each. */
void gen_index(const struct facts *facts);
void gen_jni_h(const struct facts *facts);
void gen_functions_h(const struct facts *facts);
void gen_checks_h(const struct facts *facts);
void gen_jvmti_h(const struct facts *facts);
void gen_names_h(const struct facts *facts);
void gen_names_c(const struct facts *facts);
void gen_layout_c(const struct facts *facts);
void gen_explain(const struct facts *facts);
/* The part of it about types, constants and JNI. */
void gen_explain_jni(const struct facts *facts);
/* The hand-written lines for a name behind a blank line; false if there are none. */
bool put_advice(const struct facts *facts, const char *name);
void gen_entries_h(const struct facts *facts);
void gen_entries_c(const struct facts *facts);
void gen_senders_h(const struct facts *facts);
void gen_calls_c(const struct facts *facts);
void gen_callbacks_c(const struct facts *facts);
void gen_interpose_h(const struct facts *facts);
void gen_interpose_functions_c(const struct facts *facts);
void gen_interpose_events_c(const struct facts *facts);
void gen_interpose_extensions_c(const struct facts *facts);
void gen_interpose_jni_c(const struct facts *facts);

/* Output, as printf does.  A line that is too long is broken after a comma and goes on
   eight columns further in. */
void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* `jint*` and `x` give `jint *x`. */
void put_declaration(const char *type, const char *name);
/* The declarations of params, an array of {name, type}, each after a comma, the first
   one only if there are others before it. */
void put_parameters(const cJSON *params, bool others);

/* Access to a table; a missing member is an error, but not for the has_ ones. */
const char *text(const cJSON *object, const char *key);
int number(const cJSON *object, const char *key);
const cJSON *list(const cJSON *object, const char *key);
const char *text_or_null(const cJSON *object, const char *key);
bool is_true(const cJSON *object, const char *key);
/* The release of a "since" member: 1 for 1.x, else its number; 1 where there is none. */
int since(const cJSON *object);

#define EACH(item, array) \
    (const cJSON *item = (array)->child; item != NULL; item = item->next)

/* table[n] becomes the JVM TI function in slot n, or NULL; returns the last slot. */
int functions_by_slot(const struct facts *facts, const cJSON *table[256]);

/* A JNI function, with its family spelled out. */
struct jni_function {
    int slot, since;
    char name[64];
    char form;                  /* '.' variadic, 'V' va_list, 'A' array, '\0' none */
    char returns[32];
    int count;
    char params[4][64];         /* declarations, form's last one not included */
};

/* Call each for every function of the JNI table in the order of slots. */
void each_jni_function(const struct facts *facts,
                       void each(const struct jni_function *function));
/* Write a JNI function as a member of a table: a pointer declared as `name`. */
void put_jni_pointer(const struct jni_function *function, const char *name);
/* The parameter's name: the identifier at the end of a declaration. */
const char *parameter_name(const char *declaration);
/* The type of a declaration such as `const char *name`. */
void declared_type(const char *declaration, char *type, size_t size);

/* The member of a union of values that holds a type: 'i', 'j', 'f', 'd' or 'p'. */
char representation(const char *type);
/* The bit of a capability. */
int capability_bit(const struct facts *facts, const char *name);
/* Phases as `1 << phase`, "any" with the phase of a dead VM. */
unsigned phase_bits(const cJSON *phases);

_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
