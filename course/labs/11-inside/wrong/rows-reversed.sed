# loses table: turns the order of the rows round
/^jvmti_GetLineNumberTable/,/^}/s/rows\[i\] = /rows[info->line_count - 1 - i] = /
