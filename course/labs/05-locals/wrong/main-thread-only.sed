# loses hit: enables the event for one thread
s/^                CALL(SetBreakpoint, jvmti, methods\[i\], location);/                CALL(SetBreakpoint, jvmti, methods[i], location),\n                CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,\n                     JVMTI_EVENT_BREAKPOINT, thread);/
/^        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT,/{
N
s/.*/        )/
}
s/^                 JVMTI_EVENT_CLASS_PREPARE, NULL)$/&/
