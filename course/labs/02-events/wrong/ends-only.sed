# loses start: takes ThreadStart for VMStart
s/JVMTI_EVENT_THREAD_START, //
