# loses absent: has an empty table for an abstract method
s/^    if (!info || !info->has_line_table)$/    if (info \&\& !info->has_code) {\n        *count = 0;\n        *table = NULL;\n        return JVMTI_ERROR_NONE;\n    }\n&/
