/* SPDX-License-Identifier: MIT */
/* tck/src/run.c -- the kit's command line. */
#include "tck/src/run.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void
bad_input(const char *format, ...)
{
    va_list args;

    fputs("tck/run: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(2);
}

void *
must(void *memory)
{
    if (memory == NULL) {
        fputs("tck/run: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

char *
format_text(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    return must(text);
}

double
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec + ts.tv_nsec / 1e9;
}

const char *
status_name(enum status status)
{
    static const char *const names[] = {
        "not run", "pass", "fail", "skip", "lack", "departure", "known lack",
        "unexpected pass"
    };

    return names[status];
}

/* The exit status: what was to be told has to have been told. */
static int
end_output(int status)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        bad_input("cannot write the standard output%s%s", errno != 0 ? ": " : "",
                  errno != 0 ? strerror(errno) : "");
    return status;
}

/* Split a command at white space; quotes keep words together. */
static char **
split_command(const char *text)
{
    char **words = must(calloc(strlen(text) + 2, sizeof *words));
    int count = 0;

    while (*text != '\0') {
        char *word, quote = '\0';
        size_t length = 0;

        text += strspn(text, " \t\n");
        if (*text == '\0')
            break;
        word = must(malloc(strlen(text) + 1));
        for (; *text != '\0' && (quote != '\0' || strchr(" \t\n", *text) == NULL);
             text++) {
            if (quote != '\0' ? *text == quote : *text == '\'' || *text == '"')
                quote = quote != '\0' ? '\0' : *text;
            else
                word[length++] = *text;
        }
        if (quote != '\0')
            bad_input("--java: a quote is not closed");
        word[length] = '\0';
        words[count++] = word;
    }
    if (count == 0)
        bad_input("--java: the command is empty");
    /* The VMs run in another directory. */
    if (words[0][0] != '/' && strchr(words[0], '/') != NULL) {
        char *here = must(getcwd(NULL, 0)), *word = words[0];

        words[0] = format_text("%s/%s", here, word);
        free(here);
        free(word);
    }
    return words;
}

static bool
matches_filter(const struct options *opt, const char *id)
{
    for (int i = 0; i < opt->filter_count; i++)
        if (fnmatch(opt->filters[i], id, 0) == 0)
            return true;
    return opt->filter_count == 0;
}

static void
select_results(struct run *run)
{
    const struct options *opt = &run->opt;
    bool any = false;

    for (size_t i = 0; i < run->count; i++) {
        struct result *result = &run->results[i];
        bool matches = matches_filter(opt, result->id);

        any = any || matches;
        result->selected = matches
            && (opt->mutate != NULL
                || group_index(run, result->group) % opt->shards == opt->shard - 1);
    }
    if (!any)
        bad_input("no assertion matches the filter");
}

static void
usage(FILE *out)
{
    fputs(
        "usage: tck/run [OPTION]...\n"
        "       tck/run --merge [OPTION]... REPORT.json...\n"
        "Check a Java virtual machine's JVM Tool Interface.\n\n"
        "  --java COMMAND    the VM to test (default: java)\n"
        "  --jobs N          groups that run at the same time (1)\n"
        "  --filter GLOB     only assertions whose id matches; may be repeated\n"
        "  --shard I/N       only the I-th of N parts (of the groups or of the faults)\n"
        "  --expect FILE     departures that are known\n"
        "  --level N         judge by the text of JVM TI N, not by that of the level that\n"
        "                    the VM tells\n"
        "  --report FILE     write a report: .tap, .xml (JUnit), .json or .html;\n"
        "                    may be repeated\n"
        "  --with FILE       show an earlier .json report beside this run in .html\n"
        "  --timeout N       seconds without progress that make a hang (60, with\n"
        "                    --mutate 15)\n"
        "  --agent SPEC      load another agent first (-agentpath:SPEC)\n"
        "  --mutate GLOB     put faults between the kit and the VM, one at a time, and\n"
        "                    tell which of them the kit catches\n"
        "  --log FILE        with --mutate: append what came of each fault\n"
        "  --after FILE      with --mutate: such a log, of another VM or of a run that\n"
        "                    was interrupted; what is in it counts, and only faults\n"
        "                    that were not reached are tried; may be repeated\n"
        "  --merge           join the .json reports of the shards of a run\n"
        "  --accept FILE     write an expectation file of what failed and is known\n"
        "  --list            print the assertions' ids and stop\n"
        "  --facts           the same with class, level, section and behaviour of each\n"
        "  --coverage        print what the kit tests and what not, and stop\n"
        "  --quiet           print failures and the summary only\n"
        "  --help            print this\n\n"
        "Exit status: 0 as expected, 1 an assertion failed, 2 the input is unusable,\n"
        "3 only what is advised lacks, 130 interrupted.\n", out);
}

static int
number(const char *option, const char *text, int low)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end != '\0' || value < low || value > 1000000)
        bad_input("%s: '%s' is not a number from %d on", option, text, low);
    return (int)value;
}

static void
parse_shard(struct options *opt, const char *text)
{
    char end;

    if (sscanf(text, "%d/%d%c", &opt->shard, &opt->shards, &end) != 2
        || opt->shards < 1 || opt->shard < 1 || opt->shard > opt->shards)
        bad_input("--shard: '%s' is not I/N with I from 1 to N", text);
}

#define ADD(list, count, value, name)                                                  \
    do {                                                                               \
        if ((size_t)(count) == sizeof (list) / sizeof (list)[0])                       \
            bad_input("too many %s", name);                                            \
        (list)[(count)++] = (value);                                                   \
    } while (0)

static void
parse_options(struct options *opt, int argc, char **argv)
{
    static const struct option names[] = {
        { "java", 1, NULL, 'j' }, { "jobs", 1, NULL, 'n' },
        { "filter", 1, NULL, 'f' }, { "shard", 1, NULL, 's' },
        { "expect", 1, NULL, 'e' }, { "report", 1, NULL, 'r' },
        { "level", 1, NULL, 'v' }, { "merge", 0, NULL, 'M' },
        { "accept", 1, NULL, 'p' }, { "facts", 0, NULL, 'F' },
        { "with", 1, NULL, 'w' }, { "timeout", 1, NULL, 't' },
        { "agent", 1, NULL, 'a' }, { "list", 0, NULL, 'l' },
        { "mutate", 1, NULL, 'm' }, { "log", 1, NULL, 'o' },
        { "after", 1, NULL, 'A' },
        { "coverage", 0, NULL, 'c' }, { "quiet", 0, NULL, 'q' },
        { "help", 0, NULL, 'h' }, { "lib", 1, NULL, 'L' },
        { "classes", 1, NULL, 'C' }, { NULL, 0, NULL, 0 }
    };
    int c;

    while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (c) {
        case 'j': opt->java_text = optarg; break;
        case 'n': opt->jobs = number("--jobs", optarg, 1); break;
        case 'f': ADD(opt->filters, opt->filter_count, optarg, "filters"); break;
        case 's': parse_shard(opt, optarg); break;
        case 'e': opt->expect = optarg; break;
        case 'r': ADD(opt->reports, opt->report_count, optarg, "reports"); break;
        case 'w': ADD(opt->others, opt->other_count, optarg, "earlier reports"); break;
        case 'v': opt->level = number("--level", optarg, 11); break;
        case 't': opt->timeout = number("--timeout", optarg, 1); break;
        case 'a': opt->agent = optarg; break;
        case 'm': opt->mutate = optarg; break;
        case 'o': opt->log = optarg; break;
        case 'A': ADD(opt->after, opt->after_count, optarg, "logs"); break;
        case 'M': opt->merge = true; break;
        case 'p': opt->accept = optarg; break;
        case 'F': opt->facts = opt->list = true; break;
        case 'l': opt->list = true; break;
        case 'c': opt->coverage = true; break;
        case 'q': opt->quiet = true; break;
        case 'L': opt->lib = optarg; break;
        case 'C': opt->classes = optarg; break;
        case 'h': usage(stdout); exit(end_output(0));
        default: exit(2);
        }
    }
    if (opt->merge) {
        opt->merged = argv + optind;
        opt->merged_count = argc - optind;
        if (opt->merged_count == 0)
            bad_input("--merge: no report is given");
        if (opt->mutate != NULL)
            bad_input("--merge is not for --mutate, whose logs --after joins");
    } else if (optind < argc) {
        bad_input("unexpected argument '%s'", argv[optind]);
    }
    if (opt->accept != NULL && opt->mutate != NULL)
        bad_input("--accept is not for --mutate");
    if ((opt->log != NULL || opt->after_count > 0) && opt->mutate == NULL)
        bad_input("--log and --after go with --mutate");
    if (opt->timeout == 0)
        opt->timeout = opt->mutate != NULL ? 15 : 60;
    opt->java = split_command(opt->java_text);
    opt->java_text = readable_text(opt->java_text);
    for (int i = 0; i < opt->report_count; i++)
        report_check(opt->reports[i]);
    for (int i = 0; i < opt->other_count; i++)
        if (access(opt->others[i], R_OK) != 0)
            bad_input("cannot read '%s': %s", opt->others[i], strerror(errno));
}

/* The agent library and the Java targets lie beside the program. */
static void
find_files(struct options *opt)
{
    static char self[4096];
    char *host;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    if (length < 0)
        bad_input("cannot find out where this program lies: %s", strerror(errno));
    self[length] = '\0';
    slash = strrchr(self, '/');
    *slash = '\0';
    /* libtool runs an uninstalled program out of .libs. */
    if (strlen(self) > 6 && strcmp(self + strlen(self) - 6, "/.libs") == 0)
        self[strlen(self) - 6] = '\0';
    if (opt->lib == NULL) {
        char *plain = format_text("%s/libtck.so", self);

        opt->lib = plain;
        if (access(plain, R_OK) != 0) {
            opt->lib = format_text("%s/.libs/libtck.so", self);
            free(plain);
        }
    }
    if (opt->classes == NULL)
        opt->classes = format_text("%s/classes", self);
    if (access(opt->lib, R_OK) != 0)
        bad_input("cannot read the agent library '%s': %s", opt->lib, strerror(errno));
    host = format_text("%s/tck/Host.class", opt->classes);
    if (access(host, R_OK) != 0)
        bad_input("the Java targets are not built in '%s': a JDK's javac is needed for "
                  "'make'", opt->classes);
    free(host);
}

static char *
dirname_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? format_text(".") : format_text("%.*s", (int)(slash - path), path);
}

static bool show_progress;

static void
progress(struct run *run, size_t done)
{
    size_t counts[UNEXPECTED_PASS + 1] = { 0 };

    if (!show_progress)
        return;
    for (size_t i = 0; i < run->count; i++)
        counts[run->results[i].status]++;
    fprintf(stderr, "\r%zu of %zu groups, %zu passed, %zu failed, %zu skipped\033[K",
            done, run->group_count, counts[PASS], counts[FAIL], counts[SKIP]);
}

static void
on_signal(int number_)
{
    (void)number_;
    vm_interrupt();
}

/* Print the summary and give the exit status. */
static int
summarize(const struct run *run)
{
    size_t counts[UNEXPECTED_PASS + 1] = { 0 }, not_run = 0;

    for (size_t i = 0; i < run->count; i++) {
        if (run->results[i].selected) {
            counts[run->results[i].status]++;
            not_run += run->results[i].status == NOT_RUN;
        }
    }
    printf("# %s, level %d: %zu passed, %zu failed, %zu lacks, %zu departures, "
           "%zu known lacks, %zu unexpected passes, %zu skipped, %zu not run, %.1f s\n",
           run->vm_name, run->level, counts[PASS], counts[FAIL], counts[LACK],
           counts[DEPARTURE], counts[KNOWN_LACK], counts[UNEXPECTED_PASS], counts[SKIP],
           not_run, run->seconds);
    if (run->interrupted)
        return 130;
    if (counts[FAIL] + counts[UNEXPECTED_PASS] + not_run != 0)
        return 1;
    return counts[LACK] == 0 ? 0 : 3;
}

/* Make the temporary directory.  Whatever the way to the end, the guard removes it. */
static void
make_work(struct run *run)
{
    const char *base = getenv("TMPDIR");

    run->work = format_text("%s/tck.XXXXXX", base != NULL && *base == '/' ? base : "/tmp");
    if (mkdtemp(run->work) == NULL)
        bad_input("cannot make a directory '%s': %s", run->work, strerror(errno));
    guard_start(run->work);
    atexit(guard_end);
}

static void
take_date(struct run *run)
{
    time_t seconds = time(NULL);
    struct tm tm;

    strftime(run->date, sizeof run->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &tm));
}

static int
run_mutations(struct run *run)
{
    run->opt.mutator = format_text("%s/libtckmutate.so", dirname_of(run->opt.lib));
    if (access(run->opt.mutator, R_OK) != 0)
        bad_input("cannot read the agent '%s': %s", run->opt.mutator, strerror(errno));
    return mutation_run(run);
}

/* Judge the results and tell them in all ways that are wanted; the exit status. */
static int
tell(struct run *run)
{
    int status;

    expect_apply(run);
    report_tap(run, stdout);
    status = summarize(run);
    for (int i = 0; i < run->opt.report_count; i++)
        report_write(run, run->opt.reports[i]);
    if (run->opt.accept != NULL && !run->interrupted) {
        expect_write(run, run->opt.accept);
        status = 0;
    }
    return status;
}

static int
run_all(struct run *run)
{
    struct sigaction action;
    double start;

    find_files(&run->opt);
    if (run->opt.expect != NULL)
        expect_read(run);
    make_work(run);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    vm_probe(run);
    if (run->opt.mutate != NULL)
        return run_mutations(run);
    take_date(run);
    start = now();
    show_progress = isatty(STDERR_FILENO);
    vm_run_groups(run, progress);
    if (show_progress)
        fputs("\r\033[K", stderr);
    run->seconds = now() - start;
    return tell(run);
}

static int
merge_all(struct run *run)
{
    if (run->opt.expect != NULL)
        expect_read(run);
    merge_reports(run, run->opt.merged, run->opt.merged_count);
    return tell(run);
}

int
main(int argc, char **argv)
{
    static struct run run;

    run.opt.java_text = "java";
    run.opt.jobs = run.opt.shard = run.opt.shards = 1;
    parse_options(&run.opt, argc, argv);
    catalog_build(&run);
    select_results(&run);
    if (run.opt.list) {
        catalog_print(&run);
        return end_output(0);
    }
    if (run.opt.merge)
        return end_output(merge_all(&run));
    return end_output(run.opt.coverage ? coverage_print(&run) : run_all(&run));
}
