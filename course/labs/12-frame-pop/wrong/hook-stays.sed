# loses idle: never takes the hook away
/^take_request/,/^}/s/thread_set_hooks(t, 0, HOOK_FRAME_POP);/(void)0;/
