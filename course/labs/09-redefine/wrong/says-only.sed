# loses swap active obsolete refused again: says so, and redefines nothing
s/error = (\*jvmti)->RedefineClasses(jvmti, 1, &definition)/error = JVMTI_ERROR_NONE/
