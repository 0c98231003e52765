/* SPDX-License-Identifier: MIT */
/* tck/agent/local_variable.c -- reading and writing local variables. */
#include "tck/agent/frame.h"

#include "tck/lib/stage.h"

/* -- local variables -- */

TCK_CASE("frame", local_values, "GetLocalInt.behaviour.values", "Local Variable", 304)
{
    jthread thread;
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    jobject o;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &i);
    CALL(GetLocalLong, thread, 0, STAGE_SLOT_LONG, &j);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &f);
    CALL(GetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, &d);
    CALL(GetLocalObject, thread, 0, STAGE_SLOT_OBJECT, &o);
    SAME(11, i);
    SAME(22, j);
    TRUE(f == 3.5f);
    TRUE(d == 4.25);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, o));
    SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, o));
}

TCK_CASE("frame", local_get_long, "GetLocalLong.behaviour.value",
         "Local Variable", 304)
{
    jlong value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalLong, stage_suspended(t, 'V'), 0, STAGE_SLOT_LONG, &value);
    TRUE(value == 22);
}

TCK_CASE("frame", local_get_float, "GetLocalFloat.behaviour.value",
         "Local Variable", 304)
{
    jfloat value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalFloat, stage_suspended(t, 'V'), 0, STAGE_SLOT_FLOAT, &value);
    TRUE(value == 3.5f);
}

TCK_CASE("frame", local_get_double, "GetLocalDouble.behaviour.value",
         "Local Variable", 304)
{
    jdouble value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalDouble, stage_suspended(t, 'V'), 0, STAGE_SLOT_DOUBLE, &value);
    TRUE(value == 4.25);
}

TCK_CASE("frame", local_small, "GetLocalInt.behaviour.small-types",
         "Get Local Variable - Int", 311)
{
    static const jint want[] = { 1, -5, 'c', -300 };
    jthread thread;

    NEED("can_access_local_variables");
    thread = in_frames(t, 'b');
    for (jint slot = 1; slot <= 4; slot++) {
        jint value;

        CALL(GetLocalInt, thread, 0, slot, &value);
        SAME(want[slot - 1], value);
    }
}

TCK_CASE("frame", local_set_small, "SetLocalInt.behaviour.small-types",
         "Set Local Variable - Int", 318)
{
    jthread thread;

    NEED("can_access_local_variables");
    thread = in_frames(t, 'b');
    CALL(SetLocalInt, thread, 0, 1, 0);
    CALL(SetLocalInt, thread, 0, 2, 100);
    CALL(SetLocalInt, thread, 0, 3, 1000);
    CALL(SetLocalInt, thread, 0, 4, 10000);
    stage_finish(t, thread);
    SAME(11100, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_int, "SetLocalInt.behaviour.program-sees-it",
         "Set Local Variable - Int", 318)
{
    jthread thread;
    jint value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'I');
    CALL(SetLocalInt, thread, 0, STAGE_SLOT_INT, -99);
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &value);
    SAME(-99, value);
    stage_finish(t, thread);
    SAME(-99, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_long, "SetLocalLong.behaviour.program-sees-it",
         "Set Local Variable - Long", 319)
{
    jthread thread;
    jlong value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'J');
    CALL(SetLocalLong, thread, 0, STAGE_SLOT_LONG, -0x123456789abcdef);
    CALL(GetLocalLong, thread, 0, STAGE_SLOT_LONG, &value);
    SAME(-0x123456789abcdef, value);
    stage_finish(t, thread);
    SAME(-0x123456789abcdef, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_float, "SetLocalFloat.behaviour.program-sees-it",
         "Set Local Variable - Float", 320)
{
    jthread thread;
    jfloat value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'F');
    CALL(SetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, 0.125f);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &value);
    TRUE(value == 0.125f);
    stage_finish(t, thread);
    TRUE(double_result(t, thread) == 0.125);
}

TCK_CASE("frame", local_set_double, "SetLocalDouble.behaviour.program-sees-it",
         "Set Local Variable - Double", 321)
{
    jthread thread;
    jdouble value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'D');
    CALL(SetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, -1e-300);
    CALL(GetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, &value);
    TRUE(value == -1e-300);
    stage_finish(t, thread);
    TRUE(double_result(t, thread) == -1e-300);
}

TCK_CASE("frame", local_set_object, "SetLocalObject.behaviour.program-sees-it",
         "Set Local Variable - Object", 316)
{
    jthread thread, other = stage_unstarted(t, 'V');
    jobject value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'L');
    CALL(SetLocalObject, thread, 0, STAGE_SLOT_OBJECT, other);
    CALL(GetLocalObject, thread, 0, STAGE_SLOT_OBJECT, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, other, value));
    stage_finish(t, thread);
    TRUE((*t->jni)->IsSameObject(t->jni, other,
                                 stage_get(t, thread, "objectResult",
                                           "Ljava/lang/Object;")));
}

TCK_CASE("frame", local_null, "GetLocalObject.behaviour.null-value",
         "Get Local Variable - Object", 307)
{
    jthread thread;
    jobject value = stage_object(t);

    NEED("can_access_local_variables");
    thread = in_frames(t, 'o');   /* the text does not say that NULL may be set */
    CALL(GetLocalObject, thread, 0, 1, &value);
    TRUE(value == NULL);
}

TCK_CASE("frame", local_neighbours, "SetLocalLong.behaviour.neighbours-unchanged",
         "Set Local Variable - Long", 312)
{
    jthread thread;
    jint i;
    jfloat f;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(SetLocalLong, thread, 0, STAGE_SLOT_LONG, -1);
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &i);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &f);
    SAME(11, i);
    TRUE(f == 3.5f);
}

TCK_CASE("frame", local_instance, "GetLocalInstance.behaviour.this",
         "Get Local Instance", 309)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalInstance, thread, 1, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}

TCK_CASE("frame", local_instance_native, "GetLocalInstance.behaviour.native-frame",
         "Get Local Instance", 309)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'N');
    CALL(GetLocalInstance, thread, 0, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}

TCK_CASE("frame", local_deeper, "GetLocalObject.behaviour.deeper-frame",
         "Local Variable", 304)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalObject, thread, 1, 0, &value);   /* this of run() */
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}
