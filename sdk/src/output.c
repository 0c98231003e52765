/* SPDX-License-Identifier: MIT */
/*
 * sdk/src/output.c -- files that are there whole or not at all.
 *
 * What is written goes into a file without a name (O_TMPFILE of open(2)), which the
 * kernel removes when the process ends, however it ends; commit gives it a name beside
 * its place (linkat) and moves it there (rename).  Some file systems have no files
 * without names.  There the file has the name beside its place from the beginning, a
 * killed process leaves it behind, and the next one that opens the same path removes
 * it: the writer holds a lock on its file (flock), which ends with the process.
 */
#include <tiforge/output.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <tiforge/log.h>

/* A name beside the place: path, this, six random letters, and the end. */
#define TEMPORARY ".tiforge-"
#define RANDOM_LETTERS "XXXXXX"
#define TEMPORARY_END ".tmp"

struct tf_output {
    FILE *stream;
    char *path;
    char *temporary;        /* the name beside the place; NULL when there is none */
    bool in_place;          /* written under its own name: "-" and devices */
    int error;              /* errno of the first failure */
};

static bool
is_in_place(const char *path)
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

/* The folder of path, for free(); NULL when memory is short. */
static char *
folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* True if name is one that make_temporary gives to files of base. */
static bool
is_temporary_of(const char *name, const char *base)
{
    size_t length = strlen(base);

    return strncmp(name, base, length) == 0
        && strncmp(name + length, TEMPORARY, strlen(TEMPORARY)) == 0
        && strlen(name + length) == strlen(TEMPORARY RANDOM_LETTERS TEMPORARY_END)
        && strcmp(name + strlen(name) - strlen(TEMPORARY_END), TEMPORARY_END) == 0;
}

/* Remove name from folder if no living process holds the lock on it. */
static void
remove_if_left(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(fd);
}

/* Remove what killed processes left beside path. */
static void
remove_left(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
    char *folder = folder_of(path);
    DIR *entries = folder == NULL ? NULL : opendir(folder);
    struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (is_temporary_of(entry->d_name, base))
            remove_if_left(dirfd(entries), entry->d_name);
    if (entries != NULL)
        closedir(entries);
    free(folder);
}

/* A name beside the place, still to be made unique; NULL when memory is short. */
static char *
temporary_name(const char *path)
{
    size_t size = strlen(path) + sizeof TEMPORARY RANDOM_LETTERS TEMPORARY_END;
    char *name = (char *)malloc(size);

    if (name != NULL)
        snprintf(name, size, "%s" TEMPORARY RANDOM_LETTERS TEMPORARY_END, path);
    return name;
}

/*
 * Open a new locked file with a name beside the place; -1 with errno.  Somebody who
 * cleans up may find it before it is locked, and remove it: then there is another try.
 */
static int
open_temporary(struct tf_output *output)
{
    for (;;) {
        struct stat status;
        int fd;

        free(output->temporary);
        output->temporary = temporary_name(output->path);
        if (output->temporary == NULL)
            return -1;
        fd = mkostemps(output->temporary, (int)strlen(TEMPORARY_END), O_CLOEXEC);
        if (fd < 0) {
            free(output->temporary);
            output->temporary = NULL;
            return -1;
        }
        (void)flock(fd, LOCK_EX | LOCK_NB);
        if (fstat(fd, &status) != 0 || status.st_nlink > 0) {
            set_mode(fd);
            return fd;
        }
        close(fd);
    }
}

/* Open a new file without a name in the folder of path; -1 where there are none. */
static int
open_nameless(const char *path)
{
    char *folder = folder_of(path);
    int fd = folder == NULL ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    free(folder);
    return fd;
}

/* A folder cannot be replaced by a file: so it is told before all is written. */
static bool
is_folder(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return false;
    errno = EISDIR;
    return true;
}

static bool
open_stream(struct tf_output *output)
{
    int fd;

    output->in_place = is_in_place(output->path);
    if (output->in_place) {
        output->stream = strcmp(output->path, "-") == 0 ? stdout
            : fopen(output->path, "w");
        return output->stream != NULL;
    }
    if (is_folder(output->path))
        return false;
    remove_left(output->path);
    fd = open_nameless(output->path);
    if (fd >= 0)
        (void)flock(fd, LOCK_EX | LOCK_NB);
    else
        fd = open_temporary(output);
    if (fd < 0)
        return false;
    output->stream = fdopen(fd, "w");
    if (output->stream == NULL) {
        close(fd);
        if (output->temporary != NULL)
            unlink(output->temporary);
    }
    return output->stream != NULL;
}

/* Put random letters in the place of the pattern's; `tries` makes them differ. */
static void
choose_letters(char *name, unsigned tries)
{
    char *letters = name + strlen(name) - strlen(RANDOM_LETTERS TEMPORARY_END);
    struct timespec now;
    uint64_t seed;

    clock_gettime(CLOCK_REALTIME, &now);
    seed = ((uint64_t)now.tv_nsec << 22 ^ (uint64_t)getpid()) + tries;
    for (size_t i = 0; i < strlen(RANDOM_LETTERS); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        letters[i] = (char)('a' + (seed >> 33) % 26);
    }
}

/* Give a file without a name the one beside its place; false with errno. */
static bool
give_name(struct tf_output *output)
{
    char file[64];

    snprintf(file, sizeof file, "/proc/self/fd/%d", fileno(output->stream));
    for (unsigned tries = 0; tries < 100; tries++) {
        char *name = temporary_name(output->path);

        if (name == NULL)
            return false;
        choose_letters(name, tries);
        if (linkat(AT_FDCWD, file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            output->temporary = name;
            return true;
        }
        free(name);
        if (errno != EEXIST)
            break;
    }
    return false;
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
    int lock = -1;

    errno = 0;
    note(output, fflush(output->stream) == 0 && !ferror(output->stream));
    if (!output->in_place && output->error == 0)
        note(output, fsync(fileno(output->stream)) == 0);
    if (!output->in_place && output->temporary == NULL && output->error == 0)
        note(output, give_name(output));
    /* Errors of closing come before the file is in its place; the lock on the name
       beside it lasts until then. */
    if (output->temporary != NULL)
        lock = dup(fileno(output->stream));
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
    if (lock >= 0)
        close(lock);
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

bool
tf_output_try(const char *path)
{
    struct tf_output *output = tf_output_open(path);

    if (output != NULL)
        tf_output_discard(output);
    return output != NULL;
}
