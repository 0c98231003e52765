/* SPDX-License-Identifier: MIT */
/* sdk/src/output.c -- files that are there whole or not at all. */
#include <tiforge/output.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tiforge/log.h>

struct tf_output {
    FILE *stream;
    char *path;
    char *temporary;        /* NULL when written in place */
    int error;              /* errno of the first failure */
};

static bool
in_place(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0;
}

static void
output_free(struct tf_output *output)
{
    free(output->path);
    free(output->temporary);
    free(output);
}

/* mkstemp makes files for the owner only; give it what open would have given. */
static void
set_mode(int fd)
{
    mode_t mask = umask(0);

    umask(mask);
    (void)!fchmod(fd, 0666 & ~mask);
}

static bool
open_stream(struct tf_output *output)
{
    size_t size = strlen(output->path) + sizeof ".XXXXXX.tmp";
    int fd;

    if (strcmp(output->path, "-") == 0)
        output->stream = stdout;
    else if (in_place(output->path))
        output->stream = fopen(output->path, "w");
    else if ((output->temporary = (char *)malloc(size)) != NULL) {
        snprintf(output->temporary, size, "%s.XXXXXX.tmp", output->path);
        fd = mkstemps(output->temporary, 4);
        if (fd < 0)
            return false;
        set_mode(fd);
        output->stream = fdopen(fd, "w");
        if (output->stream == NULL) {
            close(fd);
            unlink(output->temporary);
        }
    }
    return output->stream != NULL;
}

struct tf_output *
tf_output_open(const char *path)
{
    struct tf_output *output = (struct tf_output *)calloc(1, sizeof *output);

    if (output != NULL)
        output->path = strdup(path);
    if (output == NULL || output->path == NULL || !open_stream(output)) {
        tf_error("cannot write \"%s\": %s", path, strerror(errno));
        if (output != NULL)
            output_free(output);
        return NULL;
    }
    return output;
}

FILE *
tf_output_stream(struct tf_output *output)
{
    return output->stream;
}

static bool
note(struct tf_output *output, bool good)
{
    if (!good && output->error == 0)
        output->error = errno != 0 ? errno : EIO;
    return output->error == 0;
}

bool
tf_output_write(struct tf_output *output, const void *bytes, size_t length)
{
    errno = 0;
    return output->error == 0
        && note(output, fwrite(bytes, 1, length, output->stream) == length);
}

bool
tf_output_commit(struct tf_output *output)
{
    bool good;

    errno = 0;
    note(output, fflush(output->stream) == 0 && !ferror(output->stream));
    if (output->temporary != NULL && output->error == 0)
        note(output, fsync(fileno(output->stream)) == 0);
    if (output->stream != stdout)
        note(output, fclose(output->stream) == 0);
    if (output->temporary != NULL && output->error == 0)
        note(output, rename(output->temporary, output->path) == 0);
    good = output->error == 0;
    if (!good) {
        tf_error("cannot write \"%s\": %s", output->path, strerror(output->error));
        if (output->temporary != NULL)
            unlink(output->temporary);
    }
    output_free(output);
    return good;
}

void
tf_output_discard(struct tf_output *output)
{
    if (output->stream != stdout)
        fclose(output->stream);
    if (output->temporary != NULL)
        unlink(output->temporary);
    output_free(output);
}
