# loses prepare: looks at one thread only
s/^    JVMTI_EVENT_CLASS_PREPARE, //;s/JVMTI_EVENT_CLASS_PREPARE, //
/^on_vm_init/,/^}/s/say_thread(jvmti, thread, before);/&\n    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, thread);/
