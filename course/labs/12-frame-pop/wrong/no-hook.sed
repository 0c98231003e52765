# loses pop once idle exception caller kit: does not let the thread look at returns
s/thread_set_hooks(t, HOOK_FRAME_POP, 0);/(void)0;/
