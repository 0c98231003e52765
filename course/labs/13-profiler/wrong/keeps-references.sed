# loses rules: keeps the local references of threads
/DeleteLocalRef(jni, stacks\[i\]\.thread)/d
