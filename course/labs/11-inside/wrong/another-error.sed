# loses memory: says INTERNAL when there is no memory
/^jvmti_GetLineNumberTable/,/^}/s/TRY(JVMTI_ALLOC(info->line_count, &rows));/if (JVMTI_ALLOC(info->line_count, \&rows) != JVMTI_ERROR_NONE)\n        return JVMTI_ERROR_INTERNAL;/
