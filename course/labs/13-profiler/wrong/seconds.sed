# loses timer: takes milliseconds for seconds
s/RawMonitorWait(jvmti, lock, interval_ms)/RawMonitorWait(jvmti, lock, 1000 * interval_ms)/
