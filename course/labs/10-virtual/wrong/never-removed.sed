# loses alive: does not take out what has ended
s/(\*jni)->IsSameObject(jni, alive\[i\], thread)/((void)jni, (void)thread, false)/
