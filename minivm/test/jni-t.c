/* SPDX-License-Identifier: MIT */
/* Names of native methods' functions, and values between JNI and stack slots. */

#include "base/mem.h"
#include "jni/entry.h"
#include "test/tap.h"

#include <string.h>

static void
test_names(void)
{
    static const char *const names[][2] = {
        { "p/q/A", "p_q_A" },
        { "a_b", "a_1b" },
        { "(ILjava/lang/String;[D)", "_00028ILjava_lang_String_2_3D_00029" },
        { "A$B", "A_00024B" },
        { "\xc3\xa9", "_000e9" },
        { "\xe6\xb0\xb4", "_06c34" },
        { "\xed\xa0\x80\xed\xb0\x80", "_0d800_0dc00" },
        { "", "" },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct buf b = { 0 };
        native_mangle(&b, names[i][0], strlen(names[i][0]));
        is_string(buf_string(&b), names[i][1], "'%s'", names[i][0]);
        buf_release(&b);
    }
}

static void
test_values(void)
{
    is_int(jni_slot_of_value('Z', (jvalue){ .z = 2 }).i, 1, "a boolean is 0 or 1");
    is_int(jni_slot_of_value('B', (jvalue){ .b = -1 }).i, -1, "a byte has a sign");
    is_int(jni_slot_of_value('C', (jvalue){ .c = 0xffff }).i, 0xffff, "a char has none");
    is_int(jni_slot_of_value('S', (jvalue){ .s = -2 }).i, -2, "a short has one");
    is_int(jni_slot_of_value('J', (jvalue){ .j = INT64_MIN }).j, INT64_MIN, "a long");
    ok(jni_slot_of_value('F', (jvalue){ .f = 0.5f }).f == 0.5f, "a float");
    ok(jni_slot_of_value('D', (jvalue){ .d = -0.25 }).d == -0.25, "a double");
    ok(jni_slot_of_value('L', (jvalue){ .l = NULL }).ref == NULL, "a null reference");
    is_int(jni_value_of_slot(NULL, 'B', (union slot){ .i = 0x1ff }).j, 0xff,
           "a byte is narrowed, and the rest of the value is 0");
    is_int(jni_value_of_slot(NULL, 'V', (union slot){ .i = 7 }).j, 0, "void is 0");
}

int
main(void)
{
    test_names();
    test_values();
    return done_testing();
}
