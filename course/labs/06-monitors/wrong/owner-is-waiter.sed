# loses owner: asks for the thread that waits
s/owner = thread_name(jvmti, owner_of(jvmti, object))/owner = thread_name(jvmti, thread)/
