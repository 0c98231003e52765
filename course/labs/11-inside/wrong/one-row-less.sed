# loses table kit: stops before the last row
/^jvmti_GetLineNumberTable/,/^}/s/i < info->line_count; i++/i + 1 < info->line_count; i++/
