/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/instrument.c -- calls by probes in the bytecode of included methods.
 *
 * MethodEntry comes for each method of the program, wanted or not, and HotSpot
 * interprets threads that get it.  So a trace of one class costs much less when its
 * methods call the agent themselves: at their beginning, before they return, and in a
 * handler around all of it.  They call static natives of a class that the agent defines
 * to the boot loader, which other loaders ask.  Classes that are there already are
 * retransformed.
 *
 * In a constructor the handler begins behind the call of the other constructor, since
 * the verifier allows none before.  A constructor that this call leaves by an exception
 * ends, for the recorder, with its caller.
 */
#include "agents/tracer/tracer.h"

#include <stdlib.h>
#include <string.h>

#define HELPER "tiforge/tracer/Calls"

/* -- the natives -- */

static void JNICALL
on_enter(JNIEnv *jni, jclass helper, jint method)
{
    (void)helper;
    recorder_probe_enter(jni, (uint32_t)method);
}

static void JNICALL
on_leave(JNIEnv *jni, jclass helper, jint method)
{
    (void)helper;
    recorder_probe_leave(jni, (uint32_t)method, false);
}

static void JNICALL
on_thrown(JNIEnv *jni, jclass helper, jint method)
{
    (void)helper;
    recorder_probe_leave(jni, (uint32_t)method, true);
}

static void
put_text(struct tf_buffer *out, const char *text)
{
    tf_buffer_u1(out, 1);
    tf_buffer_u2(out, (unsigned)strlen(text));
    tf_buffer_text(out, text);
}

/* The class file of the helper (JVMS 4.1): three static natives that take an int. */
static void
write_helper(struct tf_buffer *out)
{
    static const char *const names[] = { "enter", "leave", "thrown" };

    tf_buffer_u4(out, 0xcafebabe);
    tf_buffer_u4(out, 49);
    tf_buffer_u2(out, 9);
    put_text(out, HELPER);              /* 1; 2 is the class */
    tf_buffer_u1(out, 7);
    tf_buffer_u2(out, 1);
    put_text(out, "java/lang/Object");  /* 3; 4 is the class */
    tf_buffer_u1(out, 7);
    tf_buffer_u2(out, 3);
    put_text(out, "(I)V");              /* 5 */
    for (int i = 0; i < 3; i++)
        put_text(out, names[i]);        /* 6 to 8 */
    tf_buffer_u2(out, TF_ACC_PUBLIC | 0x0020 | TF_ACC_SYNTHETIC);
    tf_buffer_u2(out, 2);
    tf_buffer_u2(out, 4);
    tf_buffer_u2(out, 0);
    tf_buffer_u2(out, 0);
    tf_buffer_u2(out, 3);
    for (unsigned i = 0; i < 3; i++) {
        tf_buffer_u2(out, TF_ACC_PUBLIC | TF_ACC_STATIC | TF_ACC_NATIVE);
        tf_buffer_u2(out, 6 + i);
        tf_buffer_u2(out, 5);
        tf_buffer_u2(out, 0);
    }
    tf_buffer_u2(out, 0);
}

/* Define the helper to the boot loader, once. */
static bool
define_helper(JNIEnv *jni)
{
    static bool defined;
    const JNINativeMethod natives[] = {
        { (char *)"enter", (char *)"(I)V", (void *)on_enter },
        { (char *)"leave", (char *)"(I)V", (void *)on_leave },
        { (char *)"thrown", (char *)"(I)V", (void *)on_thrown }
    };
    struct tf_buffer bytes = { 0 };
    jclass helper;

    if (defined)
        return true;
    write_helper(&bytes);
    helper = (*jni)->DefineClass(jni, HELPER, NULL, (const jbyte *)bytes.bytes,
                                 (jsize)bytes.length);
    tf_buffer_release(&bytes);
    defined = helper != NULL && (*jni)->RegisterNatives(jni, helper, natives, 3) == 0;
    tf_clear_exception(jni, "the class of the probes");
    (*jni)->DeleteLocalRef(jni, helper);
    return defined;
}

/* -- the probes -- */

static void
add_call(struct tf_code *code, struct tf_insn *at, const char *name, uint32_t method)
{
    tf_emit_int(code, at, (int32_t)method);
    tf_emit_call(code, at, TF_OP_INVOKESTATIC, HELPER, name, "(I)V", false);
}

static void
add_probes(struct tf_code *code, uint32_t method)
{
    struct tf_insn *body = tf_code_after_super(code), *first = code->first;
    struct tf_insn *start, *handler;

    if (body == NULL)
        return;
    for (struct tf_insn *insn = code->first; insn != NULL; insn = insn->next)
        if (insn->opcode >= TF_OP_IRETURN && insn->opcode <= TF_OP_RETURN)
            add_call(code, insn, "leave", method);
    start = tf_emit_label(code, body);
    handler = tf_emit_label(code, code->last);
    tf_frame_handler(code, handler, "java/lang/Throwable");
    add_call(code, code->last, "thrown", method);
    tf_emit(code, code->last, TF_OP_ATHROW);
    tf_code_catch(code, start, handler, handler, NULL);
    /* Before the label that jumps to the first instruction go to, or a loop would enter
       again and again; a constructor's body begins later. */
    if (body != first)
        start = first;
    add_call(code, start, "enter", method);
    tf_code_reserve(code, 2);
}

/* Probes in the wanted methods of a class; false when it has none. */
static bool
add_to_class(struct tf_class *c)
{
    bool any = false;

    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next) {
        struct tf_code *code;
        struct method *method;

        if ((m->access & (TF_ACC_ABSTRACT | TF_ACC_NATIVE)) != 0)
            continue;
        method = method_named(tf_class_name(c), m->name, m->descriptor);
        if (method == NULL || !method_wanted(method, recorder_session))
            continue;
        code = tf_class_code(c, m);
        if (code != NULL) {
            add_probes(code, method->number);
            any = true;
        }
    }
    return any;
}

void
instrument_class(jvmtiEnv *jvmti, const char *name, jint length,
                 const unsigned char *bytes, jint *new_length,
                 unsigned char **new_bytes)
{
    struct tf_class *c;
    struct tf_buffer out = { 0 };
    unsigned char *memory = NULL;

    if (recorder_session == 0 || (name != NULL && !method_class_wanted(name)))
        return;
    c = tf_class_parse(bytes, (size_t)length);
    if (c == NULL)
        return;
    if (tf_class_error(c) == NULL && method_class_wanted(tf_class_name(c))
        && add_to_class(c))
        tf_class_write(c, &out);
    if (tf_class_error(c) != NULL)
        tf_warning("a class is not traced: %s", tf_class_error(c));
    else if (out.length > 0
             && TF_CALL(jvmti, Allocate, (jvmti, (jlong)out.length, &memory))) {
        memcpy(memory, out.bytes, out.length);
        *new_bytes = memory;
        *new_length = (jint)out.length;
    }
    tf_buffer_release(&out);
    tf_class_free(c);
}

/* The classes that are there already; one by one, for a VM may refuse some. */
static void
change_loaded(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL;
    jint count = 0;

    if (!TF_CALL(jvmti, GetLoadedClasses, (jvmti, &count, &classes)))
        return;
    for (jint i = 0; i < count; i++) {
        jboolean modifiable = JNI_FALSE;
        char *signature = NULL;

        if (TF_CALL(jvmti, GetClassSignature, (jvmti, classes[i], &signature, NULL))
            && signature[0] == 'L') {
            signature[strlen(signature) - 1] = '\0';
            if (method_class_wanted(signature + 1)
                && TF_CALL(jvmti, IsModifiableClass, (jvmti, classes[i], &modifiable))
                && modifiable)
                TF_CALL(jvmti, RetransformClasses, (jvmti, 1, &classes[i]));
        }
        tf_deallocate(jvmti, signature);
    }
    tf_release_references(jvmti, jni, (jobject *)classes, count);
}

bool
instrument_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    if (!define_helper(jni)
        || !tf_events_enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0))
        return false;
    change_loaded(jvmti, jni);
    return true;
}
