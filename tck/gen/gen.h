/* SPDX-License-Identifier: MIT */
/* tck/gen/gen.h -- what the generator's parts share. */
#ifndef TCK_GEN_GEN_H
#define TCK_GEN_GEN_H

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stdio.h>

/* The facts table. */
extern cJSON *facts;

/* Say what is wrong with the table and exit with status 1. */
void die(const char *format, ...);

/* A member, which has to be there; a string member or NULL. */
const cJSON *get(const cJSON *object, const char *key);
const char *get_string(const cJSON *object, const char *key);

/* How an argument of a type travels: i, j, f, d, or p for anything with a pointer. */
char representation(const char *type);
bool is_ellipsis(const cJSON *param);

/* Write how C reaches the function in a table of this level: one of a later level has a
   reserved slot there. */
void put_entry(FILE *to, const char *table, const cJSON *function);

#endif
