# loses lines: has line 0 for native methods
s/!= JVMTI_ERROR_NONE)$/!= JVMTI_ERROR_NONE \&\& (line = 0, true))/
s/^        return -1;$/        return line;/
