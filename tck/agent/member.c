/* SPDX-License-Identifier: MIT */
/* tck/agent/member.c -- chapters Field and Method. */
#include "tck/lib/classfile.h"
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

/* -- fields -- */

static void
check_field(struct tck *t, const char *klass, const char *name, const char *signature,
            bool is_static, const char *want_generic)
{
    jfieldID f = stage_field(t, klass, name, signature, is_static);
    char *got_name, *got_signature, *generic;

    CALL(GetFieldName, stage_class(t, klass), f, &got_name, &got_signature, &generic);
    TEXT(name, got_name);
    TEXT(signature, got_signature);
    TEXT(want_generic, generic);
    CALL(Deallocate, (unsigned char *)got_name);
    CALL(Deallocate, (unsigned char *)got_signature);
    CALL(Deallocate, (unsigned char *)generic);
}

TCK_CASE("member", field_name, "GetFieldName.behaviour.values",
         "Get Field Name (and Signature)", 421)
{
    check_field(t, "tck/Model", "instanceInt", "I", false, NULL);
    check_field(t, "tck/Model", "STATIC_LONG", "J", true, NULL);
    check_field(t, "tck/Model", "list", "Ljava/util/List;", false,
                "Ljava/util/List<Ljava/lang/String;>;");
    check_field(t, "tck/Kinds$Generic", "value", "Ljava/lang/Object;", false, "TT;");
}

TCK_CASE("member", field_name_parts, "GetFieldName.behaviour.null-outputs",
         "Get Field Name (and Signature)", 421)
{
    jclass k = stage_class(t, "tck/Model");
    jfieldID f = stage_field(t, "tck/Model", "instanceInt", "I", false);
    char *signature;

    CALL(GetFieldName, k, f, NULL, NULL, NULL);
    CALL(GetFieldName, k, f, NULL, &signature, NULL);
    TEXT("I", signature);
    CALL(Deallocate, (unsigned char *)signature);
}

TCK_CASE("member", field_declaring, "GetFieldDeclaringClass.behaviour.inherited",
         "Get Field Declaring Class", 422)
{
    jclass k = stage_class(t, "tck/Graph"), declaring;
    jfieldID f = stage_field(t, "tck/Graph", "inherited", "Ljava/lang/Object;", false);

    CALL(GetFieldDeclaringClass, k, f, &declaring);
    TRUE((*t->jni)->IsSameObject(t->jni, declaring, stage_class(t, "tck/GraphBase")));
    f = stage_field(t, "tck/Graph", "number", "I", false);
    CALL(GetFieldDeclaringClass, k, f, &declaring);
    TRUE((*t->jni)->IsSameObject(t->jni, declaring, k));
}

TCK_CASE("member", field_declaring_interface,
         "GetFieldDeclaringClass.behaviour.interface",
         "Get Field Declaring Class", 422)
{
    jclass k = stage_class(t, "tck/Graph"), declaring;
    jfieldID f = stage_field(t, "tck/Graph", "CONSTANT", "Ljava/lang/Object;", true);

    CALL(GetFieldDeclaringClass, k, f, &declaring);
    TRUE((*t->jni)->IsSameObject(t->jni, declaring,
                                 stage_class(t, "tck/GraphConstants")));
}

static jint
field_modifiers(struct tck *t, const char *klass, const char *name,
                const char *signature, bool is_static)
{
    jint value = -1;

    tck_want(t, "GetFieldModifiers", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetFieldModifiers(
                 t->jvmti, stage_class(t, klass),
                 stage_field(t, klass, name, signature, is_static), &value));
    return value;
}

TCK_CASE("member", field_modifiers, "GetFieldModifiers.behaviour.values",
         "Get Field Modifiers", 423)
{
    SAME(0x0008, field_modifiers(t, "tck/Model", "staticInt", "I", true));
    SAME(0x001a, field_modifiers(t, "tck/Model", "STATIC_LONG", "J", true));
    SAME(0x0000, field_modifiers(t, "tck/Model", "instanceInt", "I", false));
    SAME(0x0044, field_modifiers(t, "tck/Model", "text", "Ljava/lang/String;", false));
    SAME(0x0082, field_modifiers(t, "tck/Kinds", "hidden", "I", false));
    SAME(0x0019, field_modifiers(t, "tck/Kinds$Both", "ANSWER", "I", true));
}

TCK_CASE("member", field_modifiers_generic, "GetFieldModifiers.behaviour.generic-field",
         "Get Field Modifiers", 423)
{
    SAME(0x0001, field_modifiers(t, "tck/Model", "list", "Ljava/util/List;", false));
}

TCK_CASE("member", field_synthetic, "IsFieldSynthetic.behaviour.values",
         "Is Field Synthetic", 424)
{
    jboolean yes = 7;

    NEED("can_get_synthetic_attribute");
    CALL(IsFieldSynthetic, stage_class(t, "tck/Model"),
         stage_field(t, "tck/Model", "instanceInt", "I", false), &yes);
    SAME(JNI_FALSE, yes);
    CALL(IsFieldSynthetic, stage_class(t, "tck/Kinds$Color"),
         stage_field(t, "tck/Kinds$Color", "$VALUES", "[Ltck/Kinds$Color;", true), &yes);
    SAME(JNI_TRUE, yes);
}

/* -- methods -- */

static void
check_method(struct tck *t, const char *klass, const char *name, const char *signature,
             bool is_static, const char *want_generic)
{
    jmethodID m = stage_method(t, klass, name, signature, is_static);
    char *got_name, *got_signature, *generic;

    CALL(GetMethodName, m, &got_name, &got_signature, &generic);
    TEXT(name, got_name);
    TEXT(signature, got_signature);
    TEXT(want_generic, generic);
    CALL(Deallocate, (unsigned char *)got_name);
    CALL(Deallocate, (unsigned char *)got_signature);
    CALL(Deallocate, (unsigned char *)generic);
}

TCK_CASE("member", method_name, "GetMethodName.behaviour.values",
         "Get Method Name (and Signature)", 425)
{
    check_method(t, "tck/Model", "sum", "(IJ)I", false, NULL);
    check_method(t, "tck/Model", "<init>", "()V", false, NULL);
    check_method(t, "tck/Model", "generic", "(Ltck/Model;)Ltck/Model;", true,
                 "<T:Ltck/Model;>(TT;)TT;");
}

TCK_CASE("member", method_name_parts, "GetMethodName.behaviour.null-outputs",
         "Get Method Name (and Signature)", 425)
{
    jmethodID m = stage_method(t, "tck/Model", "sum", "(IJ)I", false);
    char *signature;

    CALL(GetMethodName, m, NULL, NULL, NULL);
    CALL(GetMethodName, m, NULL, &signature, NULL);
    TEXT("(IJ)I", signature);
    CALL(Deallocate, (unsigned char *)signature);
}

TCK_CASE("member", method_declaring, "GetMethodDeclaringClass.behaviour.inherited",
         "Get Method Declaring Class", 426)
{
    jclass k;

    CALL(GetMethodDeclaringClass,
         stage_method(t, "tck/Model", "hashCode", "()I", false), &k);
    TRUE((*t->jni)->IsSameObject(t->jni, k, stage_class(t, "java/lang/Object")));
    CALL(GetMethodDeclaringClass, stage_method(t, "tck/Model", "sum", "(IJ)I", false),
         &k);
    TRUE((*t->jni)->IsSameObject(t->jni, k, stage_class(t, "tck/Model")));
}

static jint
method_modifiers(struct tck *t, const char *klass, const char *name,
                 const char *signature, bool is_static)
{
    jint value = -1;

    tck_want(t, "GetMethodModifiers", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetMethodModifiers(
                 t->jvmti, stage_method(t, klass, name, signature, is_static), &value));
    return value;
}

TCK_CASE("member", method_modifiers, "GetMethodModifiers.behaviour.values",
         "Get Method Modifiers", 427)
{
    SAME(0x0000, method_modifiers(t, "tck/Model", "sum", "(IJ)I", false));
    SAME(0x0028, method_modifiers(t, "tck/Model", "generic", "(Ltck/Model;)Ltck/Model;",
                                  true));
    SAME(0x0100, method_modifiers(t, "tck/Model", "bound", "()I", false));
    SAME(0x0001, method_modifiers(t, "tck/Model", "<init>", "()V", false));
    SAME(0x0400, method_modifiers(t, "tck/Kinds$Abstract", "nothing", "()V", false));
    SAME(0x0014, method_modifiers(t, "tck/Kinds$Abstract", "last", "()V", false));
    SAME(0x0080, method_modifiers(t, "tck/Kinds", "strict",
                                  "(DJ[Ljava/lang/Object;)D", false) & ~0x0800);
}

TCK_CASE("member", arguments_size, "GetArgumentsSize.behaviour.values",
         "Get Arguments Size", 429)
{
    jint size;

    CALL(GetArgumentsSize, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &size);
    SAME(4, size);
    CALL(GetArgumentsSize,
         stage_method(t, "tck/Model", "generic", "(Ltck/Model;)Ltck/Model;", true),
         &size);
    SAME(1, size);
    CALL(GetArgumentsSize, stage_method(t, "tck/Kinds", "strict",
                                        "(DJ[Ljava/lang/Object;)D", false), &size);
    SAME(6, size);
    CALL(GetArgumentsSize, stage_method(t, "tck/Events", "readStatic", "()I", true),
         &size);
    SAME(0, size);
}

TCK_CASE("member", max_locals, "GetMaxLocals.behaviour.values", "Get Max Locals", 428)
{
    jint locals;

    CALL(GetMaxLocals, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &locals);
    SAME(5, locals);
    CALL(GetMaxLocals, stage_method(t, "tck/Events", "readStatic", "()I", true), &locals);
    SAME(0, locals);
}

TCK_CASE("member", line_numbers, "GetLineNumberTable.behaviour.values",
         "Get Line Number Table", 430)
{
    jmethodID m = stage_method(t, "tck/Model", "sum", "(IJ)I", false);
    jvmtiLineNumberEntry *table;
    jint count;

    NEED_BYTECODE_INDICES;
    NEED("can_get_line_numbers");
    CALL(GetLineNumberTable, m, &count, &table);
    /* int total = a + (int) b; then return total; on the next line.  In which order the
       entries come the text does not say. */
    SAME(2, count);
    if (table[0].start_location > table[1].start_location) {
        jvmtiLineNumberEntry first = table[0];

        table[0] = table[1];
        table[1] = first;
    }
    SAME(0, table[0].start_location);
    SAME(6, table[1].start_location);
    SAME(table[0].line_number + 1, table[1].line_number);
    CALL(Deallocate, (unsigned char *)table);
    /* return a + a; is one line. */
    CALL(GetLineNumberTable, stage_method(t, "tck/Events", "step", "(I)I", true),
         &count, &table);
    SAME(1, count);
    CALL(Deallocate, (unsigned char *)table);
}

TCK_CASE("member", method_location, "GetMethodLocation.behaviour.values",
         "Get Method Location", 431)
{
    jlocation start = -5, end = -5;

    NEED_BYTECODE_INDICES;
    CALL(GetMethodLocation, stage_method(t, "tck/Events", "step", "(I)I", true), &start,
         &end);
    if (start == -1 && end == -1) {
        tck_skip(t, "the VM has no information on locations");
        return;
    }
    SAME(0, start);
    SAME(3, end);
    /* Its last instruction is ireturn, after istore and iload of two bytes each. */
    CALL(GetMethodLocation, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &start,
         &end);
    SAME(0, start);
    SAME(8, end);
}

TCK_CASE("member", local_table, "GetLocalVariableTable.behaviour.values",
         "Get Local Variable Table", 432)
{
    static const struct { const char *name, *signature; jint slot; jlocation start; }
        want[] = {
        { "this", "Ltck/Model;", 0, 0 }, { "a", "I", 1, 0 }, { "b", "J", 2, 0 },
        { "total", "I", 4, 6 }
    };
    jmethodID m = stage_method(t, "tck/Model", "sum", "(IJ)I", false);
    jvmtiLocalVariableEntry *table;
    jint count;
    int found = 0;

    NEED_BYTECODE_INDICES;
    NEED("can_access_local_variables");
    CALL(GetLocalVariableTable, m, &count, &table);
    SAME(4, count);
    for (jint i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) {
            if (strcmp(table[i].name, want[k].name) != 0)
                continue;
            found++;
            TEXT(want[k].signature, table[i].signature);
            TRUE(table[i].generic_signature == NULL);
            SAME(want[k].slot, table[i].slot);
            SAME(want[k].start, table[i].start_location);
            SAME(9 - want[k].start, table[i].length);
        }
        CALL(Deallocate, (unsigned char *)table[i].name);
        CALL(Deallocate, (unsigned char *)table[i].signature);
    }
    CALL(Deallocate, (unsigned char *)table);
    SAME(4, found);
}

TCK_CASE("member", local_generic, "GetLocalVariableTable.behaviour.generic",
         "Get Local Variable Table", 432)
{
    jmethodID m = stage_method(t, "tck/Model", "generic", "(Ltck/Model;)Ltck/Model;",
                               true);
    jvmtiLocalVariableEntry *table;
    jint count;

    NEED("can_access_local_variables");
    CALL(GetLocalVariableTable, m, &count, &table);
    SAME(1, count);
    TEXT("t", table[0].name);
    TEXT("TT;", table[0].generic_signature);
    CALL(Deallocate, (unsigned char *)table[0].name);
    CALL(Deallocate, (unsigned char *)table[0].signature);
    CALL(Deallocate, (unsigned char *)table[0].generic_signature);
    CALL(Deallocate, (unsigned char *)table);
}

/* "Class information does not include local variable information": this class's does. */
TCK_CASE("member", local_none, "GetLocalVariableTable.behaviour.no-variables",
         "Get Local Variable Table", 701)
{
    jvmtiLocalVariableEntry *table;
    jint count = -1;

    NEED("can_access_local_variables");
    CALL(GetLocalVariableTable, stage_method(t, "tck/Events", "readStatic", "()I", true),
         &count, &table);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)table);
}

TCK_CASE("member", bytecodes, "GetBytecodes.behaviour.values", "Get Bytecodes", 435)
{
    /* iload_0, iload_0, iadd, ireturn */
    static const unsigned char want[] = { 0x1a, 0x1a, 0x60, 0xac };
    unsigned char *code;
    jint count;

    NEED("can_get_bytecodes");
    CALL(GetBytecodes, stage_method(t, "tck/Events", "step", "(I)I", true), &count,
         &code);
    SAME(4, count);
    for (int i = 0; i < 4; i++)
        SAME(want[i], code[i]);
    CALL(Deallocate, code);
}

TCK_CASE("member", bytecodes_breakpoint, "GetBytecodes.behaviour.breakpoints-hidden",
         "Get Bytecodes", 436)
{
    jmethodID m = stage_method(t, "tck/Events", "step", "(I)I", true);
    unsigned char *code;
    jint count;

    NEED_BYTECODE_INDICES;
    NEED("can_get_bytecodes");
    NEED("can_generate_breakpoint_events");
    CALL(SetBreakpoint, m, 2);
    CALL(GetBytecodes, m, &count, &code);
    CALL(ClearBreakpoint, m, 2);
    SAME(0x60, code[2]);
    CALL(Deallocate, code);
}

TCK_CASE("member", bytecodes_file, "GetBytecodes.behaviour.as-class-file",
         "Get Bytecodes", 435)
{
    struct classfile *file;
    jint size = 0, count;
    unsigned char *bytes, *code;
    const unsigned char *want;
    uint32_t length = 0;
    unsigned locals;

    NEED("can_get_bytecodes");
    file = malloc(sizeof *file);
    bytes = stage_bytes(t, "tck/Model", &size);
    TRUE(file != NULL && bytes != NULL);
    TRUE(classfile_parse(file, bytes, (size_t)size));
    want = classfile_code(file, "sum", "(IJ)I", &length, &locals);
    CALL(GetBytecodes, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &count,
         &code);
    SAME(length, count);
    for (jint i = 0; i < count; i++)
        SAME(want[i], code[i]);
    CALL(Deallocate, code);
    free(bytes);
    free(file);
}

TCK_CASE("member", native, "IsMethodNative.behaviour.values", "Is Method Native", 437)
{
    jboolean yes = 7;

    CALL(IsMethodNative, stage_method(t, "tck/Model", "bound", "()I", false), &yes);
    SAME(JNI_TRUE, yes);
    CALL(IsMethodNative, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &yes);
    SAME(JNI_FALSE, yes);
}

TCK_CASE("member", synthetic,
         "IsMethodSynthetic.behaviour.values", "Is Method Synthetic",
         438)
{
    jboolean yes = 7;

    NEED("can_get_synthetic_attribute");
    CALL(IsMethodSynthetic, stage_method(t, "tck/Kinds$Generic", "get",
                                         "(Ljava/lang/Object;)Ljava/lang/Object;", false),
         &yes);
    SAME(JNI_TRUE, yes);
    CALL(IsMethodSynthetic, stage_method(t, "tck/Kinds$Generic", "get",
                                         "(Ljava/lang/String;)Ljava/lang/String;", false),
         &yes);
    SAME(JNI_FALSE, yes);
}

TCK_CASE("member", not_obsolete, "IsMethodObsolete.behaviour.current-version",
         "Is Method Obsolete", 439)
{
    jboolean yes = 7;

    CALL(IsMethodObsolete, stage_method(t, "tck/Model", "sum", "(IJ)I", false), &yes);
    SAME(JNI_FALSE, yes);
}

/* -- native method prefixes -- */

static int prefix_calls;

static void JNICALL
prefixed(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    prefix_calls++;
}

/* What the environment that holds the capability sets, and takes away again: another one
   need not be able to have it. */
#define NEED_PREFIX                                                                    \
    NEED("can_set_native_method_prefix");                                              \
    prefix_calls = 0

TCK_CASE("member", prefix_register, "SetNativeMethodPrefix.behaviour.RegisterNatives",
         "Set Native Method Prefix", 440)
{
    JNINativeMethod natives = { (char *)"wrapped", (char *)"()V", (void *)prefixed };
    jclass k;
    jint result;

    NEED_PREFIX;
    k = stage_class(t, "tck/Prefixed");
    CALL(SetNativeMethodPrefix, "tck_");
    result = (*t->jni)->RegisterNatives(t->jni, k, &natives, 1);
    (*t->jni)->ExceptionClear(t->jni);
    CALL(SetNativeMethodPrefix, NULL);
    SAME(JNI_OK, result);
    stage_call_void(t, "tck/Prefixed", "wrapped", "()V");
    SAME(1, prefix_calls);
}

TCK_CASE("member", prefix_cancelled, "SetNativeMethodPrefix.behaviour.null-cancels",
         "Set Native Method Prefix", 444)
{
    JNINativeMethod natives = { (char *)"other", (char *)"()V", (void *)prefixed };
    jint result;

    NEED_PREFIX;
    CALL(SetNativeMethodPrefix, "tck_");
    CALL(SetNativeMethodPrefix, NULL);
    result = (*t->jni)->RegisterNatives(t->jni, stage_class(t, "tck/Prefixed"), &natives,
                                        1);
    (*t->jni)->ExceptionClear(t->jni);
    TRUE(result < 0);
}

JNIEXPORT void JNICALL
Java_tck_Prefixed_automatic(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    prefix_calls += 10;
}

TCK_CASE("member", prefix_automatic,
         "SetNativeMethodPrefix.behaviour.automatic-resolution",
         "Set Native Method Prefix", 441)
{
    NEED_PREFIX;
    CALL(SetNativeMethodPrefix, "tck_");
    stage_call_void(t, "tck/Prefixed", "automatic", "()V");
    CALL(SetNativeMethodPrefix, NULL);
    SAME(10, prefix_calls);
}

JNIEXPORT void JNICALL
Java_tck_Prefixed_twice(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    prefix_calls += 1000;
}

TCK_CASE("member", prefixes, "SetNativeMethodPrefixes.behaviour.in-order",
         "Set Native Method Prefixes", 448)
{
    char *list[2] = { (char *)"one_", (char *)"two_" };

    NEED_PREFIX;
    CALL(SetNativeMethodPrefixes, 2, list);
    stage_call_void(t, "tck/Prefixed", "twice", "()V");
    CALL(SetNativeMethodPrefix, NULL);
    SAME(1000, prefix_calls);
}
