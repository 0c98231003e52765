/* SPDX-License-Identifier: MIT */
/* minivm/jdk/attach.c -- the listener that the JDK's tools attach to.
 *
 * A file .attach_pidPID in the working directory or /tmp and SIGQUIT ask for the socket
 * /tmp/.java_pidPID.  A request is a protocol version, a command and three arguments,
 * each with a NUL behind it; the answer is a number, a newline and text, and the
 * connection ends.  Who may connect is the VM's own user and group, and root.
 *
 * One thread serves one request after the other.  It waits for a client's bytes a
 * limited time, so that a silent one holds up the others for seconds only. */

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

#include "jdk/flags.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/heapdump.h"

enum {
    ARGUMENTS = 3,
    PARTS = 2 + ARGUMENTS,         /* version, command, arguments */
    REQUEST_MAX = 64 << 10,        /* bytes */
    REQUEST_SECONDS = 5, ANSWER_SECONDS = 10,
    CODE_ERROR = -1, CODE_BAD_VERSION = 101,
    PRIORITY_LISTENER = 9
};

static struct {
    pthread_mutex_t mutex;
    int socket;                    /* -1: not listening */
    char *path;                    /* of the socket */
    pid_t owner;
    bool is_live, is_wanted;       /* is_wanted: asked for before the VM was live */
} listener = { .mutex = PTHREAD_MUTEX_INITIALIZER, .socket = -1 };

static agent_start_fn *start_agent;

void
attach_set_agent_start(agent_start_fn *fn)
{
    start_agent = fn;
}

/* ---- what operations need of Java ---- */

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

/* The pending exception as Throwable.toString has it, and a newline; always -1. */
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

int
attach_start_agent(struct thread *self, const char *name, bool is_path,
                   const char *options, struct buf *out)
{
    if (self->vm->options.dynamic_agents < 0) {
        buf_append_string(out, "Dynamic agent loading is not enabled. Use "
                               "-XX:+EnableDynamicAgentLoading to launch target VM.\n");
        return CODE_ERROR;
    }
    /* -javaagent's module is not resolved by itself. */
    if (!is_path && !strcmp(name, "instrument")
        && !java_load_module(self, "java.instrument"))
        return report_exception(self, out);
    return start_agent(self, name, is_path, options, out);
}

/* ---- operations ---- */

/* What a request's command does; answers the code. */
#define OPERATION(name) \
    static int \
    name(struct thread *self UNUSED, char *const *args UNUSED, struct buf *out UNUSED)

OPERATION(op_load)
{
    return attach_start_agent(self, args[0], !strcmp(args[1], "true"), args[2], out);
}

OPERATION(op_properties)
{
    return attach_call_support(self, "serializePropertiesToByteArray", out)
               ? 0 : report_exception(self, out);
}

OPERATION(op_agent_properties)
{
    return attach_call_support(self, "serializeAgentPropertiesToByteArray", out)
               ? 0 : report_exception(self, out);
}

/* All that SIGQUIT does, in the dispatcher's time. */
OPERATION(op_data_dump)
{
    signals_notify(SIGQUIT);
    return 0;
}

OPERATION(op_thread_dump)
{
    thread_dump(self, out, strchr(args[0], 'l') ? DUMP_SYNCHRONIZERS : 0);
    return 0;
}

/* "-live" or "-all", the file to write to or nothing. */
OPERATION(op_inspect_heap)
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
    buf_printf(out, written ? "Heap inspection file created: %s\n"
                            : "Failed to write file: %s\n", args[1]);
    return written ? 0 : CODE_ERROR;
}

/* The file, "-live" or "-all" or nothing, and a level of compression or nothing. */
OPERATION(op_dump_heap)
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

/* Others than those that can be set while the VM runs: as HotSpot says it. */
OPERATION(op_set_flag)
{
    const struct flag *f = flag_find(args[0], strlen(args[0]));
    struct buf problem = { 0 };
    /* jinfo sets a bool by 1 and 0. */
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

OPERATION(op_print_flag)
{
    const struct flag *f = flag_find(args[0], strlen(args[0]));

    if (f)
        flag_print(out, &self->vm->options, f);
    else
        buf_printf(out, "no such flag '%s'", args[0]);
    buf_append_string(out, "\n");
    return 0;
}

OPERATION(op_jcmd)
{
    return diagnostic_run(self, args[0], out) ? 0 : report_exception(self, out);
}

static const struct {
    const char *name;
    int (*run)(struct thread *self, char *const *args, struct buf *out);
} operations[] = {
    { "agentProperties", op_agent_properties }, { "datadump", op_data_dump },
    { "dumpheap", op_dump_heap }, { "inspectheap", op_inspect_heap },
    { "jcmd", op_jcmd }, { "load", op_load }, { "printflag", op_print_flag },
    { "properties", op_properties }, { "setflag", op_set_flag },
    { "threaddump", op_thread_dump }
};

static int
operate(struct thread *self, char *const parts[PARTS], struct buf *out)
{
    if (strcmp(parts[0], "1") != 0)
        return CODE_BAD_VERSION;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, parts[1]))
            return operations[i].run(self, parts + 2, out);
    buf_printf(out, "Operation %s not recognized!", parts[1]);
    return CODE_ERROR;
}

/* ---- connections; the thread is BLOCKED ---- */

/* The parts of the bytes so far; true when all are there. */
static bool
split(struct buf *b, char *parts[PARTS])
{
    char *at = (char *)b->data, *end = at + b->length;

    for (int i = 0; i < PARTS; i++) {
        char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!nul)
            return false;
        parts[i] = at;
        at = nul + 1;
    }
    return true;
}

/* Why it failed, or NULL. */
static const char *
read_request(int fd, struct buf *b, char *parts[PARTS])
{
    int64_t deadline = os_nanos() + (int64_t)REQUEST_SECONDS * 1000000000;

    while (!split(b, parts)) {
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

static void
answer(int fd, int code, const struct buf *text)
{
    struct timeval limit = { .tv_sec = ANSWER_SECONDS };
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

static bool
is_allowed(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
           && (peer.uid == 0 || (peer.uid == geteuid() && peer.gid == getegid()));
}

static void
serve(struct thread *self, int fd)
{
    struct buf request = { 0 }, out = { 0 };
    char *parts[PARTS];
    int code = CODE_ERROR;

    const char *problem = read_request(fd, &request, parts);
    if (problem) {
        buf_printf(&out, "%s\n", problem);
    } else {
        thread_block_end(self);
        SCOPE(self);
        code = operate(self, parts, &out);
        self->exception = NULL;
        thread_block_begin(self);
    }
    answer(fd, code, &out);
    buf_release(&request);
    buf_release(&out);
}

/* ---- the socket ---- */

/* Answers its descriptor, or -1.  It gets its name once only the owner may use it. */
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

static bool
is_ours(const char *path, mode_t type)
{
    struct stat status;

    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == type
           && (status.st_uid == geteuid() || status.st_uid == 0);
}

static bool
is_asked_for(const char *directory)
{
    TEXTS(t);

    return is_ours(own(&t, mem_printf("%s.attach_pid%d", directory, (int)getpid())),
                   S_IFREG);
}

/* Under the mutex.  Not in a forked child, which shares the socket. */
static void
forget_socket(void)
{
    if (listener.socket < 0 || listener.owner != getpid())
        return;
    shutdown(listener.socket, SHUT_RDWR);
    unlink(listener.path);
    listener.socket = -1;
}

/* ---- the thread ---- */

/* No descriptors left: others may be closed meanwhile. */
static bool
wait_for_descriptors(void)
{
    bool is_full = errno == EMFILE || errno == ENFILE;

    if (is_full)
        poll(NULL, 0, 100);
    return is_full;
}

static void
run_listener(struct thread *self, void *arg)
{
    int fd = (int)(intptr_t)arg, client;

    thread_block_begin(self);
    /* forget_socket makes accept fail. */
    while ((client = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0 || errno == EINTR
           || errno == ECONNABORTED || wait_for_descriptors()) {
        if (client < 0)
            continue;
        if (is_allowed(client))
            serve(self, client);
        close(client);
    }
    pthread_mutex_lock(&listener.mutex);
    if (listener.socket == fd)
        forget_socket();
    pthread_mutex_unlock(&listener.mutex);
    close(fd);
    thread_block_end(self);
}

/* Ends the mutex, which is not held while Java runs: exit() needs it. */
static void
unlock_and_listen(struct thread *self, bool is_wanted)
{
    int fd = -1;

    if (is_wanted) {
        listener.owner = getpid();
        listener.socket = fd = open_socket(listener.path);
    }
    pthread_mutex_unlock(&listener.mutex);
    if (fd < 0 || thread_start_internal(self, NULL, "Attach Listener", run_listener,
                                        (void *)(intptr_t)fd, PRIORITY_LISTENER))
        return;
    self->exception = NULL;
    pthread_mutex_lock(&listener.mutex);
    forget_socket();
    pthread_mutex_unlock(&listener.mutex);
    close(fd);
}

bool
attach_on_quit(struct thread *self)
{
    bool is_taken = false;

    if (self->vm->options.disable_attach)
        return false;
    pthread_mutex_lock(&listener.mutex);
    if (listener.socket >= 0 && !is_ours(listener.path, S_IFSOCK))
        forget_socket();           /* somebody removed it */
    if (listener.socket < 0 && (is_asked_for("") || is_asked_for("/tmp/")))
        is_taken = listener.is_wanted = true;
    unlock_and_listen(self, is_taken && listener.is_live);
    return is_taken;
}

/* ---- beginning and end ---- */

void
attach_init(struct thread *self)
{
    static bool is_registered;

    if (self->vm->options.disable_attach)
        return;
    listener.path = mem_printf("/tmp/.java_pid%d", (int)getpid());
    unlink(listener.path);         /* of a process that was killed */
    if (!is_registered)
        atexit(attach_end);
    is_registered = true;
}

void
attach_live(struct thread *self)
{
    const struct vm_options *o = &self->vm->options;

    if (o->disable_attach)
        return;
    pthread_mutex_lock(&listener.mutex);
    listener.is_live = true;
    /* Without signals nobody could ask. */
    unlock_and_listen(self, listener.is_wanted || o->start_attach
                            || o->no_java_signals);
}

void
attach_end(void)
{
    pthread_mutex_lock(&listener.mutex);
    listener.is_live = false;
    forget_socket();
    pthread_mutex_unlock(&listener.mutex);
}
