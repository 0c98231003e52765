# loses count lock: counts platform threads as well
/^on_thread_start/,/^}/s/^    name = thread_name/    (*jvmti)->RawMonitorEnter(jvmti, lock);\n    started++;\n    (*jvmti)->RawMonitorExit(jvmti, lock);\n&/
