/* SPDX-License-Identifier: MIT */
/*
 * An agent that rewrites every class that is loaded, and tells in the end what it did:
 *
 *   mode=same    take all code apart and put it together again; count what differs
 *   mode=nop     a `nop` before every instruction
 *   mode=probe   count calls, lines, jumps and ends of methods, exceptional ones among
 *                them, by calls of probe.Probe
 */
#include <string.h>

#include <tiforge/tiforge.h>

enum { SAME, NOP, PROBE };

static int mode;
static char **include, *boot;
static unsigned classes, changed, failed, methods, too_long;

static const struct tf_option options[] = {
    { "mode", TF_CHOICE, &mode, "same|nop|probe", 0, 0, "what to do", NULL },
    { "include", TF_LIST, &include, NULL, 0, 0, "the classes", NULL },
    { "boot", TF_TEXT, &boot, NULL, 0, 0, "the folder of probe.Probe", NULL }
};

static void
add_nops(struct tf_code *code)
{
    for (struct tf_insn *insn = code->first; insn != NULL; insn = insn->next)
        if (insn->opcode != TF_LABEL)
            tf_emit(code, insn, TF_OP_NOP);
}

static void
call(struct tf_code *code, struct tf_insn *at, const char *name)
{
    tf_emit_call(code, at, TF_OP_INVOKESTATIC, "probe/Probe", name, "()V", false);
}

static bool
is_return(const struct tf_insn *insn)
{
    return insn->opcode >= TF_OP_IRETURN && insn->opcode <= TF_OP_RETURN;
}

/* Count the entry with the value of a local of its own, jump over something, catch and
   throw again. */
static void
add_probes(struct tf_code *code)
{
    struct tf_insn *body = tf_code_after_super(code), *start, *handler, *entry, *over;
    unsigned local = tf_code_local(code, 2);

    if (body == NULL)
        return;
    for (struct tf_line *line = code->lines; line != NULL; line = line->next)
        call(code, line->start->next, "line");
    for (struct tf_insn *insn = body; insn != NULL; insn = insn->next)
        if (is_return(insn))
            call(code, insn, "leave");
    start = tf_emit_label(code, body);
    handler = tf_emit_label(code, code->last);
    tf_frame_handler(code, handler, "java/lang/Throwable");
    call(code, code->last, "thrown");
    tf_emit(code, code->last, TF_OP_ATHROW);
    tf_code_catch(code, start, handler, handler, NULL);
    if (strcmp(code->method->name, "<init>") == 0) {
        tf_code_reserve(code, 2);
        return;
    }
    /* long local = 123456789012; if (local == 0) Probe.never(); Probe.enter(); */
    entry = code->first;
    tf_emit_long(code, entry, 123456789012);
    tf_emit_operand(code, entry, TF_OP_LSTORE, (int32_t)local);
    tf_emit_operand(code, entry, TF_OP_LLOAD, (int32_t)local);
    tf_emit(code, entry, TF_OP_LCONST_0);
    tf_emit(code, entry, TF_OP_LCMP);
    over = tf_emit_label(code, entry);
    tf_frame_initial(code, over);
    tf_emit_jump(code, over, TF_OP_IFNE, over);
    call(code, over, "never");
    call(code, entry, "enter");
    tf_code_reserve(code, 4);
}

static bool
is_wanted(const char *name)
{
    char dotted[512];

    snprintf(dotted, sizeof dotted, "%s", name);
    for (char *c = dotted; *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
    return strncmp(dotted, "probe.", 6) != 0 && tf_name_wanted(include, NULL, dotted);
}

static bool
rewrite(struct tf_class *c)
{
    if (tf_class_error(c) != NULL || !is_wanted(tf_class_name(c)))
        return false;
    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next) {
        struct tf_code *code = tf_class_code(c, m);

        if (code == NULL)
            continue;
        methods++;
        if (mode == NOP)
            add_nops(code);
        else if (mode == PROBE && (m->access & TF_ACC_SYNTHETIC) == 0)
            add_probes(code);
    }
    return true;
}

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
         jobject domain, jint length, const unsigned char *bytes, jint *new_length,
         unsigned char **new_bytes)
{
    struct tf_class *c = tf_class_parse(bytes, (size_t)length);
    struct tf_buffer out;
    bool tried;

    (void)jni, (void)redefined, (void)loader, (void)domain;
    tf_buffer_init(&out);
    tried = rewrite(c);
    if (tried || tf_class_error(c) != NULL)
        classes++;
    if (tf_class_error(c) == NULL && tried)
        tf_class_write(c, &out);
    if (tf_class_error(c) != NULL) {
        bool length_error = strstr(tf_class_error(c), "65535 bytes long") != NULL
            || strstr(tf_class_error(c), "32767 bytes long") != NULL;

        too_long += length_error;
        failed += !length_error;
        if (!length_error)
            tf_warning("%s: %s", name != NULL ? name : "?", tf_class_error(c));
    } else if (tried && (out.length != (size_t)length
                         || memcmp(out.bytes, bytes, out.length) != 0)) {
        changed++;
        if (mode == SAME)
            tf_info("%s differs", tf_class_name(c));
        if (TF_CALL(jvmti, Allocate, (jvmti, (jlong)out.length, new_bytes))) {
            memcpy(*new_bytes, out.bytes, out.length);
            *new_length = (jint)out.length;
        }
    }
    tf_buffer_release(&out);
    tf_class_free(c);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti, (void)jni;
    fprintf(stderr, "rewriter: %u classes, %u methods, %u changed, %u failed, "
            "%u too long\n", classes, methods, changed, failed, too_long);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required, early;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "Rewrites classes.", options, 3);

    if (outcome != TF_RUN)
        return outcome;
    memset(&required, 0, sizeof required);
    memset(&early, 0, sizeof early);
    required.can_generate_all_class_hook_events = 1;
    early.can_generate_early_class_hook_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class;
    callbacks.VMDeath = on_vm_death;
    if (!tf_capabilities_add(jvmti, &required, mode != SAME ? NULL : &early, NULL)
        || (boot != NULL && !TF_CALL(jvmti, AddToBootstrapClassLoaderSearch,
                                     (jvmti, boot)))
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                             JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    return TF_RUN;
}

TF_AGENT("rewriter", JVMTI_VERSION_1_2, start);
