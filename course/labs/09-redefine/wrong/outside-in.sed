# loses obsolete: shows the stack from the outermost frame on
s/for (jint j = 0; j < frame_count; j++)/for (jint j = frame_count - 1; j >= 0; j--)/
