/* SPDX-License-Identifier: MIT */
/*
 * layer/source.c -- frames as the agent's author knows them.
 *
 * The lines are told by addr2line of Binutils, which may not be there; most libraries have
 * no tables of lines either.
 *
 * An agent that calls libtiforge makes some of its calls there, one in C++ in functions of
 * the headers, and its memory is read and written by the C library, too.  Whoever reads a
 * finding looks for the line of the agent, so that comes first, and two places of the agent
 * are two also where they call the same helper.
 */
#include "layer/source.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiforge/buffer.h>

/* Is it in a library that helps the agent: a libtiforge of its own, or C's? */
static bool
is_library(const struct frame_text *text)
{
    return strncmp(text->library, "libtiforge.so", 13) == 0
        || strncmp(text->library, "libc.so", 7) == 0;
}

/* ---- lines ---- */

#define MOST_RUNS 64
static int runs;

/* Compilers write down names with "." and ".." in them. */
static void
put_path(const char *told, struct frame_text *text)
{
    char real[PATH_MAX], folder[PATH_MAX];
    const char *path = realpath(told, real) != NULL ? real : told;
    size_t length = getcwd(folder, sizeof folder) != NULL ? strlen(folder) : 0;

    if (length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/')
        path += length + 1;
    /* One that is too long is of no use if it is cut. */
    if (strlen(path) < sizeof text->file)
        memcpy(text->file, path, strlen(path) + 1);
}

/* A line of the program: "/path/agent.c:12", "??:0", maybe with a remark on which of
   several pieces of code for the line it is. */
static void
put_line(char *told, struct frame_text *text)
{
    char *colon;
    size_t used = strlen(text->text);

    told[strcspn(told, "\n")] = '\0';
    if (strstr(told, " (discriminator") != NULL)
        *strstr(told, " (discriminator") = '\0';
    colon = strrchr(told, ':');
    if (told[0] == '?' || colon == NULL || atoi(colon + 1) <= 0)
        return;
    *colon = '\0';
    put_path(told, text);
    if (text->file[0] == '\0')
        return;
    text->line = atoi(colon + 1);
    snprintf(text->text + used, sizeof text->text - used, " %s:%d", text->file,
             text->line);
}

void
source_add_lines(const struct stack *stack, struct frame_text *texts, int count)
{
    char line[PATH_MAX + 64];
    FILE *out;
    struct tf_buffer command = { 0 };
    struct link_map *map, *first = NULL;
    Dl_info info;
    bool is_in[STACK_FRAMES] = { false };

    if (runs >= MOST_RUNS)
        return;
    for (int i = 0; i < count; i++) {
        if (dladdr1((void *)(stack->frames[i] - 1), &info, (void **)&map, RTLD_DL_LINKMAP)
                == 0 || strchr(info.dli_fname, '\'') != NULL)
            continue;
        /* Of a helper nobody wants the lines. */
        if (is_library(&texts[i]) || (first != NULL && map != first))
            continue;
        if (first == NULL)
            tf_buffer_format(&command, "exec 2>/dev/null; addr2line -e '%s'",
                             info.dli_fname);
        first = map;
        is_in[i] = true;
        tf_buffer_format(&command, " 0x%lx",
                         (unsigned long)(stack->frames[i] - 1 - map->l_addr));
    }
    out = first != NULL && tf_buffer_string(&command) != NULL
        ? popen(tf_buffer_string(&command), "re") : NULL;
    runs++;
    for (int i = 0; out != NULL && i < count; i++) {
        if (!is_in[i])
            continue;
        if (fgets(line, sizeof line, out) == NULL)
            break;
        put_line(line, &texts[i]);
    }
    if (out != NULL)
        pclose(out);
    tf_buffer_release(&command);
}

/* ---- helpers ---- */

/* A member function of C++ in the headers, which only calls on. */
static bool
is_wrapper(const struct frame_text *text)
{
    static const char *const names[] = { "JNIEnv_::", "JavaVM_::", "_jvmtiEnv::",
                                         "_ZN7JNIEnv_", "_ZN7JavaVM_", "_ZN9_jvmtiEnv" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(text->function, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Who looks for a line of the agent does not look there. */
static bool
is_helper(const struct frame_text *text)
{
    return is_library(text) || is_wrapper(text) || strncmp(text->function, "tf_", 3) == 0;
}

/* Functions of libtiforge's that are not its interface have other names, but stand in the
   same file as one that is. */
static bool
is_in_file_of_helper(const struct frame_text *texts, int i, int count)
{
    for (int k = i + 1; k < count && texts[i].file[0] != '\0'; k++)
        if (is_helper(&texts[k]) && strcmp(texts[i].file, texts[k].file) == 0)
            return true;
    return false;
}

int
source_helpers(const struct frame_text *texts, int count)
{
    int n = 0;

    while (n < count && (is_helper(&texts[n]) || is_in_file_of_helper(texts, n, count)))
        n++;
    return n < count ? n : 0;
}

const char *
source_through(const struct frame_text *helper)
{
    return is_wrapper(helper) ? NULL
        : helper->function[0] != '\0' ? helper->function : helper->library;
}

/* What was found of the frames that were asked for last: names take long. */
static struct known_frame {
    uintptr_t frame;
    bool is_helper;
} known[256];

uintptr_t
source_place(const struct stack *stack)
{
    struct frame_text text;

    for (int i = 0; i < stack->count; i++) {
        uintptr_t frame = stack->frames[i];
        struct known_frame *k = &known[(frame ^ frame >> 8) % 256];

        if (k->frame != frame) {
            k->frame = frame;
            k->is_helper = stack_frame(frame, &text) && is_helper(&text);
        }
        if (!k->is_helper)
            return stack_place_frame(stack, i) != 0 ? frame : stack->frames[0];
    }
    return stack->count > 0 ? stack->frames[0] : 0;
}
