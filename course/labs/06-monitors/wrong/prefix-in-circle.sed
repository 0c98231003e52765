# loses cycle: looks for circles of the option's classes only
s/^    owner = owner_of(jvmti, object);/    if (wanted_class(jvmti, jni, object) == NULL)\n        return -1;\n&/
