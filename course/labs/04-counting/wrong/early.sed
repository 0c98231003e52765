# loses entry: enables the event in Agent_OnLoad
s/^    if (!CALL(AddCapabilities, jvmti, &capabilities)$/    if (!CALL(AddCapabilities, jvmti, \&capabilities)\n        || !set_counting(jvmti, JVMTI_ENABLE)/
