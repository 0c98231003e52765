# loses none: takes threads in Object.wait for blocked ones
s/(state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) == 0/state == 0/
