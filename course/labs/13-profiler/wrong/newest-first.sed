# loses stacks: writes stacks from the newest frame on
s/for (jint i = count - 1; i >= 0 \&\& node != NULL; i--)/for (jint i = 0; i < count \&\& node != NULL; i++)/
