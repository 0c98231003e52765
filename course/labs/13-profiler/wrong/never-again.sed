# loses timer: takes one sample by the timer
s/^            take_sample(jvmti, jni);$/            take_sample(jvmti, jni), stopping = true;/
