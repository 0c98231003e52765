/* SPDX-License-Identifier: MIT */
/*
 * course/confine/tree.c -- the processes that descend from one, and what they use.
 *
 * /proc tells the parent of each process.  One whose parent ends becomes a child of the
 * holder (inside.c), which is a subreaper or the first process of its own namespace, so
 * a process cannot leave the tree.  Processor time of those that ended is in their
 * parents' sums.
 */
#include "course/confine/confine.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    bool inside;
    long threads, pages;
    double cpu;
};

/* Reads /proc/PID/stat; the name in it may hold blanks and parentheses. */
static bool
read_process(pid_t pid, struct process *p)
{
    char path[64], line[1024], *rest;
    unsigned long user, system;
    long child_user, child_system;
    FILE *file;
    bool ok;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    ok = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    rest = ok ? strrchr(line, ')') : NULL;
    if (rest == NULL)
        return false;
    memset(p, 0, sizeof *p);
    p->pid = pid;
    if (sscanf(rest + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld"
               " %*d %*d %ld %*d %*u %*u %ld", &p->parent, &user, &system, &child_user,
               &child_system, &p->threads, &p->pages) != 7)
        return false;
    p->cpu = (double)(user + system + (unsigned long)(child_user + child_system))
        / (double)sysconf(_SC_CLK_TCK);
    return true;
}

/* All processes of the machine; the caller frees the list. */
static struct process *
read_all(size_t *count)
{
    struct process *list = NULL;
    size_t n = 0, room = 0;
    struct dirent *entry;
    DIR *dir = opendir("/proc");

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (n == room) {
            struct process *more;

            room = room * 2 + 256;
            more = realloc(list, room * sizeof *list);
            if (more == NULL)
                break;
            list = more;
        }
        if (read_process(atoi(entry->d_name), &list[n]))
            n++;
    }
    if (dir != NULL)
        closedir(dir);
    *count = n;
    return list;
}

/* Marks the descendants of root, and root itself. */
static void
mark_inside(struct process *list, size_t count, pid_t root)
{
    bool changed = true;

    for (size_t i = 0; i < count; i++)
        list[i].inside = list[i].pid == root;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count && !list[i].inside; j++)
                if (list[j].inside && list[j].pid == list[i].parent)
                    list[i].inside = changed = true;
    }
}

/* How many threads of a process compute, or wait for a disk. */
static long
running_threads(pid_t pid)
{
    char path[300], line[512], *state;
    struct dirent *entry;
    long running = 0;
    DIR *dir;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid,
                 entry->d_name);
        file = fopen(path, "re");
        if (file == NULL)
            continue;
        if (fgets(line, sizeof line, file) != NULL
            && (state = strrchr(line, ')')) != NULL && state[1] != '\0')
            running += state[2] == 'R' || state[2] == 'D';
        fclose(file);
    }
    if (dir != NULL)
        closedir(dir);
    return running;
}

void
tree_usage(pid_t root, struct usage *usage)
{
    size_t count;
    struct process *list = read_all(&count);

    memset(usage, 0, sizeof *usage);
    mark_inside(list, count, root);
    for (size_t i = 0; i < count; i++) {
        if (!list[i].inside)
            continue;
        usage->processes++;
        usage->threads += list[i].threads;
        usage->cpu += list[i].cpu;
        usage->resident += list[i].pages * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
        /* With very many the sum is too high anyway. */
        if (usage->processes < 64)
            usage->running += running_threads(list[i].pid);
    }
    free(list);
}

void
tree_kill(pid_t root)
{
    bool found = true;

    /* One may start another while we look: stop all first, then end them. */
    for (int round = 0; found && round < 200; round++) {
        size_t count;
        struct process *list = read_all(&count);

        mark_inside(list, count, root);
        found = false;
        for (size_t i = 0; i < count; i++)
            if (list[i].inside && list[i].pid != root) {
                kill(list[i].pid, round % 2 == 0 ? SIGSTOP : SIGKILL);
                found = true;
            }
        free(list);
        if (round > 2)
            usleep(20000);
    }
}
