/* SPDX-License-Identifier: MIT */
/*
 * course/confine/inside.c -- the side of a job that is within the limits.
 *
 * The holder is a process between ours and the command.  With namespaces it is the
 * first process of a namespace of processes, so the kernel ends all others when it ends,
 * and none can leave; without, it is a subreaper.  Before it starts the command it makes
 * what can be seen: everything read-only but the scratch folder, which is a file system
 * in memory, and the folder that may be written; folders of others look empty; no
 * network but an interface that is down.
 *
 * Folders that are to be seen inside of hidden ones are opened as detached mounts first
 * (open_tree) and put back over the emptiness.
 */
#include "course/confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
write_text(const char *file, const char *text)
{
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* In a new user namespace: we are the user that we were. */
static bool
map_user(uid_t uid, gid_t gid)
{
    char text[64];

    write_text("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "%u %u 1", (unsigned)uid, (unsigned)uid);
    if (!write_text("/proc/self/uid_map", text))
        return false;
    snprintf(text, sizeof text, "%u %u 1", (unsigned)gid, (unsigned)gid);
    return write_text("/proc/self/gid_map", text);
}

static bool
set_read_only(const char *path, bool read_only, unsigned flags)
{
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_NOSUID | (read_only ? MOUNT_ATTR_RDONLY : 0),
        .attr_clr = read_only ? 0 : MOUNT_ATTR_RDONLY
    };

    return mount_setattr(AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

/* A folder with those above it; those that are there already stay. */
static bool
make_folder(const char *path)
{
    char part[4096];
    struct stat info;

    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode);
    if (strlen(path) >= sizeof part)
        return false;
    strcpy(part, path);
    for (char *slash = part + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(part, 0755);
        *slash = '/';
    }
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

/* A detached copy of a folder's mount, or -1. */
static int
detach(const char *path)
{
    return path == NULL ? -1
        : open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

static bool
attach(int tree, const char *path, bool read_only)
{
    bool ok = make_folder(path)
        && move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0
        && set_read_only(path, read_only, 0);

    close(tree);
    return ok;
}

static bool
mount_memory(const char *path, long megabytes, uid_t uid)
{
    char options[96];

    snprintf(options, sizeof options, "size=%ldm,nr_inodes=4096,mode=755,uid=%u",
             megabytes, (unsigned)uid);
    return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

/* Lets a folder or a file look empty.  One that is not there, which may be because a
   folder above it is hidden already, need not be hidden. */
static bool
hide(const char *path, uid_t owner)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return true;
    if (S_ISDIR(info.st_mode))
        return mount_memory(path, 1, owner);
    return mount("/dev/null", path, NULL, MS_BIND, NULL) == 0;
}

/* What the command sees of files; only in a mount namespace of its own. */
static bool
set_up_mounts(const struct job *job, uid_t owner)
{
    int shown, written;

    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return false;
    shown = detach(job->show);
    written = detach(job->write);
    if ((shown < 0 && job->show != NULL) || (written < 0 && job->write != NULL)
        || !set_read_only("/", true, AT_RECURSIVE))
        return false;
    for (size_t i = 0; i < job->hidden_count; i++)
        if (!hide(job->hidden[i], owner))
            return false;
    if ((shown >= 0 && !attach(shown, job->show, true))
        || (written >= 0 && !attach(written, job->write, false)))
        return false;
    if (job->scratch != NULL
        && !(make_folder(job->scratch) && mount_memory(job->scratch, job->file, owner)))
        return false;
    return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

static void
set_limit(int which, long value)
{
    struct rlimit limit, old;

    limit.rlim_cur = limit.rlim_max = (rlim_t)value;
    if (getrlimit(which, &old) == 0 && old.rlim_max != RLIM_INFINITY
        && old.rlim_max < limit.rlim_max)
        limit.rlim_cur = limit.rlim_max = old.rlim_max;
    setrlimit(which, &limit);
}

static bool
change_user(uid_t uid)
{
    return setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0
        && setresuid(uid, uid, uid) == 0;
}

/* The command itself; does not return. */
static void
run_command(const struct job *job, int out, int err)
{
    int in = open("/dev/null", O_RDONLY);

    setsid();
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    close_range(3, ~0U, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, job->cpu + 2);
    set_limit(RLIMIT_AS, job->space * 1024 * 1024);
    set_limit(RLIMIT_FSIZE, job->file * 1024 * 1024);
    set_limit(RLIMIT_NOFILE, 1024);
    set_limit(RLIMIT_NPROC, job->processes);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (job->scratch != NULL && chdir(job->scratch) != 0) {
        dprintf(2, "confine: cannot enter '%s': %s\n", job->scratch, strerror(errno));
        _exit(126);
    }
    execvp(job->command[0], job->command);
    dprintf(2, "confine: cannot run '%s': %s\n", job->command[0], strerror(errno));
    _exit(127);
}

/* Waits for the command, and meanwhile for those that became ours. */
static void
hold(pid_t command, int report)
{
    int status;
    pid_t ended;

    do
        ended = wait(&status);
    while (ended != command && (ended > 0 || errno == EINTR));
    if (write(report, &status, sizeof status) != sizeof status)
        _exit(1);
    /* Ours ends us, and with us what is left. */
    for (;;)
        if (wait(NULL) < 0)
            pause();
}

/* Everything between the fork and the command. */
static void
be_holder(const struct job *job, enum isolation isolation, int out, int err, int ready,
          int report)
{
    uid_t old = geteuid(), owner = old == 0 ? job->uid : old;
    gid_t group = getegid();
    pid_t command;
    bool ok = true;

    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (isolation == USER_NAMESPACE)
        ok = map_user(old, group);
    if (ok && isolation != SAME_SYSTEM)
        ok = set_up_mounts(job, isolation == NAMESPACES ? owner : old);
    if (ok && old == 0 && job->uid != 0 && isolation != USER_NAMESPACE) {
        if (job->scratch != NULL && isolation == SAME_SYSTEM)
            ok = chown(job->scratch, owner, (gid_t)owner) == 0;
        ok = ok && change_user(job->uid);
        /* To change the user takes this back. */
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    }
    if (!ok)
        _exit(1);
    command = fork();
    if (command == 0)
        run_command(job, out, err);
    if (command < 0 || write(ready, "r", 1) != 1)
        _exit(1);
    close(ready);
    close(out);
    close(err);
    hold(command, report);
}

pid_t
inside_start(const struct job *job, enum isolation isolation, int out, int err,
             int *report)
{
    int ready[2], reports[2];
    unsigned long flags = SIGCHLD;
    char byte;
    pid_t holder;

    if (isolation == NAMESPACES && (geteuid() != 0 || job->uid == 0))
        return -1;
    if (isolation != SAME_SYSTEM)
        flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC
            | CLONE_NEWUTS;
    if (isolation == USER_NAMESPACE)
        flags |= CLONE_NEWUSER;
    if (pipe2(ready, O_CLOEXEC) != 0 || pipe2(reports, O_CLOEXEC) != 0)
        return -1;
    holder = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (holder == 0) {
        close(ready[0]);
        close(reports[0]);
        be_holder(job, isolation, out, err, ready[1], reports[1]);
        _exit(1);
    }
    close(ready[1]);
    close(reports[1]);
    if (holder > 0 && read(ready[0], &byte, 1) != 1) {
        kill(holder, SIGKILL);
        waitpid(holder, NULL, 0);
        holder = -1;
    }
    close(ready[0]);
    if (holder < 0)
        close(reports[0]);
    else
        *report = reports[0];
    return holder;
}
