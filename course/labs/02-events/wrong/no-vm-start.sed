# loses phases: does not enable VMStart
s/JVMTI_EVENT_VM_START, //
