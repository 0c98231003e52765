# loses cycle: compares references
s/(\*jni)->IsSameObject(jni, threads\[j\], owner)/((void)jni, threads[j] == owner)/
