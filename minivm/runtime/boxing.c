/* SPDX-License-Identifier: MIT */
/* minivm/runtime/boxing.c -- values of Java's primitive types: loading, storing,
   boxing. */

#include "runtime/boxing.h"

#include "runtime/exception.h"
#include "runtime/vm.h"

/* The boxes of the primitive types: class and field `value`. */
static const struct {
    char type;
    enum known_class class;
    enum known_field value;
} boxes[] = {
    { 'Z', KNOWN_CLASS_Boolean, KNOWN_FIELD_Boolean_value },
    { 'B', KNOWN_CLASS_Byte, KNOWN_FIELD_Byte_value },
    { 'C', KNOWN_CLASS_Character, KNOWN_FIELD_Character_value },
    { 'S', KNOWN_CLASS_Short, KNOWN_FIELD_Short_value },
    { 'I', KNOWN_CLASS_Integer, KNOWN_FIELD_Integer_value },
    { 'J', KNOWN_CLASS_Long, KNOWN_FIELD_Long_value },
    { 'F', KNOWN_CLASS_Float, KNOWN_FIELD_Float_value },
    { 'D', KNOWN_CLASS_Double, KNOWN_FIELD_Double_value },
};

enum { BOX_COUNT = sizeof boxes / sizeof *boxes };

#define LOAD(type, from) __atomic_load_n((const type *)(from), __ATOMIC_SEQ_CST)
#define STORE(type, to, value) \
    __atomic_store_n((type *)(to), (type)(value), __ATOMIC_SEQ_CST)

union slot
value_load(const void *from, char type)
{
    union slot value = { .bits = 0 };

    switch (type) {
    case 'Z': value.i = LOAD(uint8_t, from) != 0; break;
    case 'B': value.i = LOAD(int8_t, from); break;
    case 'C': value.i = LOAD(uint16_t, from); break;
    case 'S': value.i = LOAD(int16_t, from); break;
    case 'I':
    case 'F': value.i = LOAD(int32_t, from); break;
    default: value.j = LOAD(int64_t, from); break;
    }
    return value;
}

void
value_store(void *to, char type, union slot value)
{
    switch (type) {
    case 'Z': STORE(int8_t, to, value.i & 1); break;
    case 'B': STORE(int8_t, to, value.i); break;
    case 'C':
    case 'S': STORE(int16_t, to, value.i); break;
    case 'I':
    case 'F': STORE(int32_t, to, value.i); break;
    default: STORE(int64_t, to, value.j); break;
    }
}

struct object *
box_value(struct thread *self, char type, union slot value)
{
    const struct known *known = &self->vm->known;

    for (unsigned i = 0; i < BOX_COUNT; i++) {
        if (boxes[i].type != type)
            continue;
        struct object *o = object_new_known(self, boxes[i].class);
        if (o)
            value_store(object_at(o, known->fields[boxes[i].value]), type, value);
        return o;
    }
    return THROW(self, InternalError, "cannot box type '%c'", type);
}

char
unbox_value(const struct vm *vm, const struct object *box, union slot *value)
{
    for (unsigned i = 0; box && i < BOX_COUNT; i++) {
        if (object_class(box) != vm->known.classes[boxes[i].class])
            continue;
        *value = value_load(object_at(box, vm->known.fields[boxes[i].value]),
                            boxes[i].type);
        return boxes[i].type;
    }
    return 0;
}
