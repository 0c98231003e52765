# loses stack: leaves out the frame that throws, and its last one comes in place
s/GetStackTrace, jvmti, thread, 0, count/GetStackTrace, jvmti, thread, 1, count/
