# loses class caught: looks at one thread only
s/JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL)/JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, thread)/
