/* SPDX-License-Identifier: MIT */
/* All headers in C++, and the library called from it. */
#include <tiforge/tiforge.h>

#include "tap.h"

static tf_outcome
start(tf_agent *agent)
{
    static bool flag;
    static const tf_option table[] = {
        { "flag", TF_FLAG, &flag, nullptr, 0, 0, "a flag", nullptr }
    };
    tiforge::scope scope(agent->jvmti);
    char *name;

    scope.own(name);
    if (!TF_CALL(agent->jvmti, GetErrorName, (agent->jvmti, JVMTI_ERROR_NONE, &name))
        || !TF_HAS(agent->jvmti, 9, GetAllModules))
        return TF_FAILED;
    return tf_agent_options(agent, "A test.", table, 1);
}

TF_AGENT("cxx", JVMTI_VERSION_1_2, start);

int
main()
{
    tf_buffer buffer = {};
    tf_class *c = tf_class_parse("no class", 8);

    ok(tf_name_type(&buffer, "[I"), "a function of the library");
    is_text(tf_buffer_string(&buffer), "int[]", "and what it does");
    is_text(tf_class_error(c), "no class file", "an error of the class-file reader");
    ok(!tf_class_write(c, &buffer), "which cannot be written");
    tf_class_free(c);
    tf_buffer_release(&buffer);
    is_text(tiforge_error_name(JVMTI_ERROR_NULL_POINTER), "JVMTI_ERROR_NULL_POINTER",
            "a name of the table");
    return tap_done();
}
