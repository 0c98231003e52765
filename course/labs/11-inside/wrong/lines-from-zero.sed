# loses table: counts lines from zero
/^jvmti_GetLineNumberTable/,/^}/s/info->lines\[i\]\.line }/info->lines[i].line - 1 }/
