/* SPDX-License-Identifier: MIT */
/* minivm/jdk/attach.c -- the attach listener, to which the JDK's tools connect
 * (jcmd, jstack, jmap, the attach API).
 *
 * The protocol is HotSpot's.  A VM listens only once it is asked to: the tool makes a
 * file .attach_pidPID in the VM's working directory or /tmp, and sends SIGQUIT.  The VM
 * sees the file, which tells this SIGQUIT from one that wants a thread dump, and
 * listens at the Unix socket /tmp/.java_pidPID, for which the tool looks meanwhile.
 * The tool then connects once for each request.
 *
 * A request is five texts, each with a NUL behind it: the protocol's version (1), an
 * operation, and three arguments, empty ones if there are fewer.  The reply is a number
 * in decimal, 0 for success, a newline, and text, up to the end of the connection.
 *
 * Who may connect is the VM's own user and group, and root: the system tells who is at
 * the other end of a Unix socket.  One thread serves one request after the other.  It
 * waits for a client's bytes a limited time, so that a silent one holds up the others
 * for seconds only.  A request that comes before the VM is live (JVM TI's VMInit) is
 * served when it is. */

#include "jdk/attach.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "diagnostics/heapdump.h"
#include "jdk/diagnostic.h"
#include "jdk/flags.h"
#include "jdk/jvm.h"
#include "jdk/thread_dump.h"
#include "runtime/call.h"
#include "runtime/start.h"

enum {
    REQUEST_MAX = 64 << 10, /* bytes */
    REQUEST_SECONDS = 5,
    REPLY_SECONDS = 10,
    CODE_ERROR = -1,
    CODE_BAD_VERSION = 101,
    PRIORITY_LISTENER = 9
};

/*
 * There is one listener, since its socket's name is the process's.  The mutex guards
 * all but path, which attach_init sets.
 */
static struct {
    pthread_mutex_t mutex;
    int socket;  /* -1: not listening */
    char *path;  /* of the socket */
    pid_t owner; /* the process that listens; not a forked child */
    bool is_live;
    bool is_requested_early; /* a tool has asked before the VM was live */
} listener = { .mutex = PTHREAD_MUTEX_INITIALIZER, .socket = -1 };

/* Set once, when the process's first VM starts. */
static agent_start_fn *start_agent;

void
attach_set_agent_start(agent_start_fn *fn)
{
    start_agent = fn;
}

/* ---- calls into Java ---- */

/*
 * Appends the bytes that a static method of VMSupport returns; false with an exception
 * pending.  Nothing collects between the call and the copy, so the array needs no
 * handle.
 */
bool
attach_call_support(struct thread *self, const char *method, struct buf *out)
{
    struct class *c = class_load_boot(self, "jdk/internal/vm/VMSupport");
    union slot result;

    if (!java_call_named(self, c, method, "()[B", NULL, &result))
        return false;
    buf_append(out, ARRAY_BYTES(result.ref), (size_t)array_length(result.ref));
    return true;
}

/*
 * Prints the pending exception as Throwable.toString has it, clears it, and returns
 * CODE_ERROR.  An exception is pending.  Its message is read from the field, so no Java
 * code runs.
 */
static int
report_exception(struct thread *self, struct buf *out)
{
    struct object *e = exception_take(self);
    const struct object *message = REF_FIELD(self->vm, e, Throwable_detailMessage);
    TEXTS(t);

    buf_printf(out, "%s%s%s\n", own(&t, class_external_name(object_class(e))),
               message ? ": " : "", message ? own(&t, string_to_utf8(message)) : "");
    return CODE_ERROR;
}

/*
 * Starts an agent in the live phase, after the checks that do not depend on JVM TI.
 * Returns 0 if the agent's function has run, else CODE_ERROR with the reason in out.
 */
int
attach_start_agent(struct thread *self, const char *name, bool is_path,
                   const char *options, struct buf *out)
{
    if (self->vm->options.dynamic_agents < 0) {
        buf_append_string(out, "Dynamic agent loading is not enabled. Use "
                               "-XX:+EnableDynamicAgentLoading to launch target VM.\n");
        return CODE_ERROR;
    }
    /* Nothing else may have required the module of Java agents. */
    if (!is_path && !strcmp(name, "instrument")
        && !java_load_module(self, "java.instrument"))
        return report_exception(self, out);
    return start_agent(self, name, is_path, options, out);
}

/* ---- operations: each takes the arguments and returns the reply's number ---- */

/* Loads an agent: a library's name or path, "true" for a path, the options. */
static int
op_load(struct thread *self, char *const *args, struct buf *out)
{
    static const struct releases tell_by_text = { 21, 0 };
    int code = attach_start_agent(self, args[0], !strcmp(args[1], "true"), args[2],
                                  out);
    bool is_refused = self->vm->options.dynamic_agents < 0;

    /* Tools of later releases tell from the text whether an agent was not loaded. */
    return !is_refused && release_is_in(self->vm->profile->feature, tell_by_text)
               ? 0
               : code;
}

/* The system properties, in the form of Properties.store. */
static int
op_properties(struct thread *self, char *const *args UNUSED, struct buf *out)
{
    return attach_call_support(self, "serializePropertiesToByteArray", out)
               ? 0
               : report_exception(self, out);
}

/* The properties of JVM_InitAgentProperties, in the same form. */
static int
op_agent_properties(struct thread *self, char *const *args UNUSED, struct buf *out)
{
    return attach_call_support(self, "serializeAgentPropertiesToByteArray", out)
               ? 0
               : report_exception(self, out);
}

/* Does what SIGQUIT does, in the dispatcher's thread. */
static int
op_data_dump(struct thread *self UNUSED, char *const *args UNUSED,
             struct buf *out UNUSED)
{
    signals_notify(SIGQUIT);
    return 0;
}

/* An argument with the letter l asks for ownable synchronizers, too. */
static int
op_thread_dump(struct thread *self, char *const *args, struct buf *out)
{
    thread_dump(self, out, strchr(args[0], 'l') ? DUMP_SYNCHRONIZERS : 0);
    return 0;
}

/*
 * The histogram of classes: "-live" or "-all" or nothing, and the file to write to or
 * nothing.
 */
static int
op_inspect_heap(struct thread *self, char *const *args, struct buf *out)
{
    bool all = !strcmp(args[0], "-all");
    struct buf text = { 0 };
    FILE *to;

    if (*args[0] && !all && strcmp(args[0], "-live")) {
        buf_printf(out, "Invalid argument to inspectheap operation: %s\n", args[0]);
        return CODE_ERROR;
    }
    if (!*args[1]) {
        class_histogram(self, all, out);
        return 0;
    }
    to = fopen(args[1], "we");
    if (!to) {
        buf_printf(out, "Failed to open file: %s\n", args[1]);
        return CODE_ERROR;
    }
    class_histogram(self, all, &text);
    fputs(buf_string(&text), to);
    bool written = fclose(to) == 0;
    buf_release(&text);
    buf_printf(out,
               written ? "Heap inspection file created: %s\n"
                       : "Failed to write file: %s\n",
               args[1]);
    return written ? 0 : CODE_ERROR;
}

/*
 * The dump: the file, "-live" or "-all" or nothing, and a level of compression or
 * nothing.
 */
static int
op_dump_heap(struct thread *self, char *const *args, struct buf *out)
{
    struct heap_dump d = { .path = args[0], .live = strcmp(args[1], "-all") != 0 };
    char *end;

    if (!*args[0]) {
        buf_append_string(out, "No dump file specified\n");
        return 0;
    }
    if (*args[1] && strcmp(args[1], "-all") != 0 && strcmp(args[1], "-live") != 0) {
        buf_printf(out, "Invalid argument to dumpheap operation: %s\n", args[1]);
        return CODE_ERROR;
    }
    if (*args[2]) {
        unsigned long level = strtoul(args[2], &end, 10);
        if (*end || !isdigit((unsigned char)*args[2])) {
            buf_printf(out, "Invalid compress level: [%s]\n", args[2]);
            return CODE_ERROR;
        }
        if (level < 1 || level > 9) {
            buf_printf(out, "Compression level out of range (1-9): %lu\n", level);
            return CODE_ERROR;
        }
        d.gzip_level = (int)level;
    }
    mem_free(heap_dump_write(self, &d, out));
    return 0;
}

/*
 * Changes a -XX option: the name, the value.  A flag that can be changed only at the
 * start has a message of its own here, as on HotSpot, in place of the one from
 * flag_change.
 */
static int
op_set_flag(struct thread *self, char *const *args, struct buf *out)
{
    const struct flag *f = flag_find(args[0], strlen(args[0]));
    struct buf problem = { 0 };
    bool is_set = flag_change(&self->vm->options, args[0], args[1], FLAG_BY_ATTACH,
                              &problem);

    if (!is_set)
        buf_printf(out, "%s\n", buf_string(&problem));
    if (f && !flag_is_manageable(f)) {
        buf_clear(out);
        buf_printf(out, "flag '%s' cannot be changed\n", f->name);
    }
    buf_release(&problem);
    return is_set ? 0 : CODE_ERROR;
}

/* Prints a -XX option as the command line has it. */
static int
op_print_flag(struct thread *self, char *const *args, struct buf *out)
{
    const struct flag *f = flag_find(args[0], strlen(args[0]));

    if (f)
        flag_print(out, &self->vm->options, f);
    else
        buf_printf(out, "no such flag '%s'", args[0]);
    buf_append_string(out, "\n");
    return 0;
}

/* Runs diagnostic commands. */
static int
op_jcmd(struct thread *self, char *const *args, struct buf *out)
{
    return diagnostic_run(self, args[0], out) ? 0 : report_exception(self, out);
}

static const struct {
    const char *name;
    int (*run)(struct thread *self, char *const *args, struct buf *out);
} operations[] = { { "agentProperties", op_agent_properties },
                   { "datadump", op_data_dump },
                   { "dumpheap", op_dump_heap },
                   { "inspectheap", op_inspect_heap },
                   { "jcmd", op_jcmd },
                   { "load", op_load },
                   { "printflag", op_print_flag },
                   { "properties", op_properties },
                   { "setflag", op_set_flag },
                   { "threaddump", op_thread_dump } };

/*
 * Runs the operation that a request names; returns the reply's number.  An exception
 * may be pending afterwards; serve drops it.
 */
static int
run_operation(struct thread *self, char *const parts[ATTACH_PARTS], struct buf *out)
{
    if (strcmp(parts[0], "1") != 0)
        return CODE_BAD_VERSION;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, parts[1]))
            return operations[i].run(self, parts + 2, out);
    buf_printf(out, "Operation %s not recognized!", parts[1]);
    return CODE_ERROR;
}

/* ---- connections: the thread is THREAD_BLOCKED while it reads and writes ---- */

/*
 * Finds the parts of a request, of which each is ended by a NUL; returns false while
 * some have not come yet.
 */
bool
attach_split_request(char *bytes, size_t length, char *parts[ATTACH_PARTS])
{
    char *at = bytes, *end = bytes + length;

    for (int i = 0; i < ATTACH_PARTS; i++) {
        char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!nul)
            return false;
        parts[i] = at;
        at = nul + 1;
    }
    return true;
}

/*
 * Reads a request into b and finds its parts.  Returns why that failed, or NULL.  The
 * strings in parts point into b.  Runs with the thread BLOCKED, and waits
 * REQUEST_SECONDS at most for the whole request.
 */
static const char *
read_request(int fd, struct buf *b, char *parts[ATTACH_PARTS])
{
    int64_t deadline = os_nanos() + (int64_t)REQUEST_SECONDS * 1000000000;

    while (!attach_split_request((char *)b->data, b->length, parts)) {
        int64_t left = deadline - os_nanos();
        struct pollfd p = { fd, POLLIN, 0 };
        char bytes[1024];
        if (b->length > REQUEST_MAX)
            return "The request is too long";
        if (left <= 0 || poll(&p, 1, (int)(left / 1000000) + 1) == 0)
            return "The request did not come in time";
        ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return "The request is not complete";
        if (n > 0)
            buf_append(b, bytes, (size_t)n);
    }
    return NULL;
}

/* Sends the reply; gives up when the client does not read for REPLY_SECONDS. */
static void
send_reply(int fd, int code, const struct buf *text)
{
    struct timeval limit = { .tv_sec = REPLY_SECONDS };
    struct buf b = { 0 };
    size_t done = 0;

    buf_printf(&b, "%d\n", code);
    buf_append(&b, text->data, text->length);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    while (done < b.length) {
        ssize_t n = send(fd, b.data + done, b.length - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    buf_release(&b);
}

/* Returns true if the process at the other end may control the VM. */
static bool
may_connect(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
           && (peer.uid == 0 || (peer.uid == geteuid() && peer.gid == getegid()));
}

/*
 * Serves one connection.  The thread is BLOCKED before and after, and in the VM only
 * while the operation runs.  A request that could not be read gets an answer with
 * CODE_ERROR.
 */
static void
serve(struct thread *self, int fd)
{
    struct buf request = { 0 }, out = { 0 };
    char *parts[ATTACH_PARTS];
    int code = CODE_ERROR;

    const char *problem = read_request(fd, &request, parts);
    if (problem) {
        buf_printf(&out, "%s\n", problem);
    } else {
        thread_block_end(self);
        HANDLE_SCOPE(self);
        code = run_operation(self, parts, &out);
        self->exception = NULL;
        thread_block_begin(self);
    }
    send_reply(fd, code, &out);
    buf_release(&request);
    buf_release(&out);
}

/* ---- the socket ---- */

/*
 * Returns a listening socket of that path, or -1.  The socket gets its name only once
 * nobody but its owner may connect.
 */
static int
open_socket(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s.tmp", path);

    if (fd < 0)
        return -1;
    unlink(address.sun_path);
    if (length < (int)sizeof address.sun_path && fchmod(fd, 0600) == 0
        && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
        && chmod(address.sun_path, 0600) == 0
        && chown(address.sun_path, geteuid(), getegid()) == 0 && listen(fd, 16) == 0
        && rename(address.sun_path, path) == 0)
        return fd;
    unlink(address.sun_path);
    close(fd);
    return -1;
}

/*
 * Returns true if path is a file of that type, of this user or root.  lstat does not
 * follow a symbolic link, with which another user could make a file of ours pass for
 * the tool's.
 */
static bool
is_owned_by_us(const char *path, mode_t type)
{
    struct stat status;

    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == type
           && (status.st_uid == geteuid() || status.st_uid == 0);
}

/*
 * Returns true if a tool has left its file in the directory, which ends with a slash.
 * The empty string stands for the working directory.
 */
static bool
is_requested(const char *directory)
{
    TEXTS(t);

    return is_owned_by_us(
        own(&t, mem_printf("%s.attach_pid%d", directory, (int)getpid())), S_IFREG);
}

/*
 * Closes and removes the socket, under the mutex.  A forked child, which has the same
 * socket, leaves it alone.  shutdown makes accept fail in run_listener, which then
 * closes the descriptor.
 */
static void
close_socket(void)
{
    if (listener.socket < 0 || listener.owner != getpid())
        return;
    shutdown(listener.socket, SHUT_RDWR);
    unlink(listener.path);
    listener.socket = -1;
}

/* ---- the thread ---- */

/*
 * Returns false unless accept has failed for want of file descriptors; waits a moment
 * then, since others may be closed.
 */
static bool
wait_for_descriptors(void)
{
    bool is_full = errno == EMFILE || errno == ENFILE;

    if (is_full)
        poll(NULL, 0, 100);
    return is_full;
}

/*
 * The Attach Listener thread; arg is the socket.  When the loop ends because accept
 * fails for another reason than close_socket, the socket is still the listener's and is
 * removed here, so that a later request can make a new one.
 */
static void
run_listener(struct thread *self, void *arg)
{
    int fd = (int)(intptr_t)arg, client;

    thread_block_begin(self);
    /* accept fails once close_socket has shut the socket down. */
    while ((client = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0 || errno == EINTR
           || errno == ECONNABORTED || wait_for_descriptors()) {
        if (client < 0)
            continue;
        if (may_connect(client))
            serve(self, client);
        close(client);
    }
    pthread_mutex_lock(&listener.mutex);
    if (listener.socket == fd)
        close_socket();
    pthread_mutex_unlock(&listener.mutex);
    close(fd);
    thread_block_end(self);
}

/*
 * Called with the mutex held, which it unlocks: the mutex must not be held while Java
 * runs, as it does in the start of a thread, since exit() takes it.  If listens is
 * true, opens the socket first, and starts the thread that listens at it afterwards.
 * Without the socket or the thread the VM does not listen, and no exception is pending;
 * the next request tries again.
 */
static void
unlock_and_listen(struct thread *self, bool listens)
{
    int fd = -1;

    if (listens) {
        listener.owner = getpid();
        listener.socket = fd = open_socket(listener.path);
    }
    pthread_mutex_unlock(&listener.mutex);
    if (fd < 0
        || thread_start_internal(self, NULL, "Attach Listener", run_listener,
                                 (void *)(intptr_t)fd, PRIORITY_LISTENER))
        return;
    self->exception = NULL;
    pthread_mutex_lock(&listener.mutex);
    close_socket();
    pthread_mutex_unlock(&listener.mutex);
    close(fd);
}

/*
 * Returns true if a SIGQUIT was sent by a tool that wants to attach, and begins to
 * listen for it then.  A socket whose file is gone cannot be found by any tool, so it
 * is given up and made anew if a tool asks.  A request before the VM is live is only
 * noted: attach_live serves it.
 */
bool
attach_on_quit(struct thread *self)
{
    bool is_request = false;

    if (self->vm->options.disable_attach)
        return false;
    pthread_mutex_lock(&listener.mutex);
    if (listener.socket >= 0 && !is_owned_by_us(listener.path, S_IFSOCK))
        close_socket(); /* somebody has removed the file */
    if (listener.socket < 0 && (is_requested("") || is_requested("/tmp/")))
        is_request = listener.is_requested_early = true;
    unlock_and_listen(self, is_request && listener.is_live);
    return is_request;
}

/* ---- beginning and end ---- */

/*
 * Sets the socket's path, before the first SIGQUIT can come, and has attach_end called
 * by exit.  A forked child calls attach_end, too, which finds that it is not the owner.
 */
void
attach_init(struct thread *self)
{
    static bool is_registered;

    if (self->vm->options.disable_attach)
        return;
    listener.path = mem_printf("/tmp/.java_pid%d", (int)getpid());
    unlink(listener.path); /* what a killed process left */
    if (!is_registered)
        atexit(attach_end);
    is_registered = true;
}

/*
 * The VM is live: from now on requests are served, and one that came before is served
 * now.
 */
void
attach_live(struct thread *self)
{
    const struct vm_options *o = &self->vm->options;

    if (o->disable_attach)
        return;
    pthread_mutex_lock(&listener.mutex);
    listener.is_live = true;
    /* With -Xrs no SIGQUIT comes, so the VM listens from the start. */
    unlock_and_listen(self, listener.is_requested_early || o->start_attach
                                || o->no_java_signals);
}

void
attach_end(void)
{
    pthread_mutex_lock(&listener.mutex);
    listener.is_live = false;
    close_socket();
    pthread_mutex_unlock(&listener.mutex);
}
