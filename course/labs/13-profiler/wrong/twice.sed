# loses samples: counts each sample twice
/^on_thread_start/,/^}/s/take_sample(jvmti, jni);/take_sample(jvmti, jni), take_sample(jvmti, jni);/
