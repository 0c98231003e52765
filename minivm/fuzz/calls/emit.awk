# SPDX-License-Identifier: MIT
# The calls of a trace as C functions: `STREAM\tstatement`, or `STREAM:INDEX:EVENTS\t...`
# for those in callbacks.  Variables: streams, seed.
BEGIN { FS = "\t" }
$1 == "x" { next }
{
    place = $1
    if (!(place in lines)) {
        order[++count] = place
        lines[place] = ""
    }
    lines[place] = lines[place] "    " substr($0, length($1) + 2) "\n"
}
END {
    for (i = 1; i <= count; i++) {
        name = order[i]
        gsub(":", "_", name)
        printf "\nstatic void\ncalls_%s(struct stream *s)\n{\n    LOCALS;\n    JNI;\n\n%s}\n", \
            name, lines[order[i]]
    }
    print "\nstatic void\nmake_calls(struct stream *s)\n{\n    switch (s->number) {"
    for (i = 1; i <= count; i++)
        if (order[i] !~ /:/)
            printf "    case %s:\n        calls_%s(s);\n        break;\n", order[i], order[i]
    print "    default:\n        break;\n    }\n}"
    print "\nbool\nsequence_batch(struct stream *s)\n{\n    make_calls(s);\n    return false;\n}"
    print "\nvoid\nsequence_phase(struct stream *s)\n{\n    make_calls(s);\n}"
    print "\nvoid\nsequence_event(struct stream *s, jvmtiEnv *env, const struct event *event,"
    print "               const union value *a)\n{\n    (void)s, (void)env, (void)event, (void)a;"
    for (i = 1; i <= count; i++)
        if (order[i] ~ /:/) {
            split(order[i], part, ":")
            name = order[i]
            gsub(":", "_", name)
            printf "    if (s->number == %s && s->index == %s && s->events == %s)\n        calls_%s(s);\n", \
                part[1], part[2], part[3], name
        }
    print "    stage_clear_exception(s);\n}"
    printf "\nvoid\nsequence_options(const char *options)\n{\n    (void)options;\n"
    printf "    stage.streams = %d;\n    stage.seed = %s;\n    stage.hang_seconds = 30;\n}\n", streams, seed
}
