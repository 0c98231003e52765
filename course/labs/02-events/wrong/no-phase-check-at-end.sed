# loses end: asks for names in the dead phase, too
/^on_thread_end/,/^}/s/if (is_live(jvmti))/if (jvmti != NULL)/
