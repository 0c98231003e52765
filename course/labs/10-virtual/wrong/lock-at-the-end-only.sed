# loses lock: counts before it takes the monitor
/^    started++;/d
/^on_virtual_start/,/^}/s/^    (\*jvmti)->RawMonitorEnter/    started++;\n&/
