# loses obsolete: takes the stack of the thread that the event is sent on
s/GetStackTrace, jvmti, threads\[i\], 0, 500/GetStackTrace, jvmti, NULL, 0, 500/
