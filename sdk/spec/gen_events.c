/* SPDX-License-Identifier: MIT */
/*
 * senders.h: one function for each event, send_<Name>, that takes the VM's own things,
 * makes what JVM TI shows of them, and calls the environments' callbacks.
 */
#include "gen.h"

#include <string.h>

/* By the type of a callback's parameter: the parameter of the sender (from), and the
   expression for what the callback gets (to), with the parameter's name for %s.  If it is
   empty, the callback gets the sender's argument. */
static const struct conversion {
    const char *type, *from, *to;
} conversions[] = {
    { "jmethodID", "struct frame *%s", "delivery_method(%s)" },
    { "jlocation", "uint32_t %s", "" },
    { "jclass", "struct class *%s", "delivery_ref(&d, %s->layout.mirror)" },
    { "jobject", "struct object *%s", "delivery_ref(&d, %s)" },
    { "jthread", "struct object *%s", "delivery_ref(&d, %s)" },
    { "jfieldID", "struct field *%s", "(jfieldID)field_id(%s)" },
    { "jboolean", "bool %s", "" },
    { "jvalue", "char type_of_value, const union slot *%s",
      "delivery_value(&d, type_of_value, %s)" },
};

static const struct conversion *
conversion(const cJSON *param)
{
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (strcmp(text(param, "type"), conversions[i].type) == 0)
            return &conversions[i];
    return NULL;
}

/* Returns the expression for a parameter that the delivery knows by itself, or NULL for
   one that the sender gets as an argument. */
static const char *
own_value(const cJSON *param)
{
    return strcmp(text(param, "name"), "jni_env") == 0 ? "d.jni"
           : strcmp(text(param, "name"), "thread") == 0 ? "d.thread" : NULL;
}

/* Goes through the parameters of a callback behind the first one, the environment: that
   is a different one in each call. */
#define EACH_SHOWN(param, params) \
    (const cJSON *param = (params)->child->next; param != NULL; param = param->next)

/* Writes the conversions of the arguments.  They stand in front of all calls, since local
   references can be made in the VM only and the callbacks run in native state. */
static void
put_conversions(const cJSON *params)
{
    for EACH_SHOWN(param, params) {
        const struct conversion *c = conversion(param);

        if (c == NULL || c->to[0] == '\0' || own_value(param) != NULL)
            continue;
        put("    %s shown_%s = ", c->type, text(param, "name"));
        put(c->to, text(param, "name"));
        put(";\n");
    }
}

/* Writes the function send_<Event>. */
static void
put_sender(const cJSON *event)
{
    const cJSON *params = list(event, "params");

    put("static inline void\nsend_%s(struct thread *self", text(event, "name"));
    for EACH_SHOWN(param, params) {
        const struct conversion *c = conversion(param);

        if (own_value(param) != NULL)
            continue;
        put(", ");
        if (c != NULL)
            put(c->from, text(param, "name"));
        else
            put_declaration(text(param, "type"), text(param, "name"));
    }
    put(")\n{\n    DELIVERY(d, self);\n");
    put_conversions(params);
    put("    SEND(d, %s, %s", text(event, "const") + strlen("JVMTI_EVENT_"),
        text(event, "name"));
    for EACH_SHOWN(param, params) {
        const struct conversion *c = conversion(param);
        const char *own = own_value(param);

        put(", %s%s", c != NULL && c->to[0] != '\0' && own == NULL ? "shown_" : "",
            own != NULL ? own : text(param, "name"));
    }
    put(");\n}\n\n");
}

void
gen_senders_h(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* senders.h -- send each event to those who want it.  Generated from\n"
        " * sdk/spec/jvmti-21.json. */\n"
        "#ifndef MINIVM_JVMTI_SENDERS_H\n"
        "#define MINIVM_JVMTI_SENDERS_H\n"
        "\n"
        "#include \"jvmti/deliver.h\"\n"
        "\n");
    for EACH(event, list(facts->jvmti, "events"))
        put_sender(event);
    put("#endif\n");
}
