# loses quiet: enables events of calls as well
/^Agent_OnLoad/,/^}/{
s/^    jvmtiEnv \*jvmti;/    jvmtiCapabilities wanted = { .can_generate_method_entry_events = 1 };\n&/
s/^    if (!CALL(SetEventCallbacks/    if (!CALL(AddCapabilities, jvmti, \&wanted)\n        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,\n                 JVMTI_EVENT_METHOD_ENTRY, NULL))\n        return JNI_ERR;\n&/
}
