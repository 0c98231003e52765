# loses start: asks for names in the start phase, too
/^on_thread_start/,/^}/s/if (is_live(jvmti))/if (jvmti != NULL)/
