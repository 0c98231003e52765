# loses running: counts threads that wait, too
s/(stacks\[i\]\.state & JVMTI_THREAD_STATE_RUNNABLE) != 0/(stacks[i].state \& JVMTI_THREAD_STATE_ALIVE) != 0/
