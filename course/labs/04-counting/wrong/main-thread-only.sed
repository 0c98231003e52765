# loses all break: enables the event for the thread of VMInit only
s/mode, event, NULL)/mode, event, mode == JVMTI_ENABLE ? main_thread : NULL)/
s/^static bool by_breakpoints;/static bool by_breakpoints; static jthread main_thread;/
s/^    say("vminit %ld", total());/    main_thread = thread; &/
