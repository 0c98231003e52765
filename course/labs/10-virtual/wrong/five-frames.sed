# loses stack: looks at five frames
s/GetStackTrace, jvmti, thread, 0, 200/GetStackTrace, jvmti, thread, 0, 5/
