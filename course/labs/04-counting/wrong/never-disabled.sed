# loses entry: leaves the event on
/set_counting(jvmti, JVMTI_DISABLE)/d
