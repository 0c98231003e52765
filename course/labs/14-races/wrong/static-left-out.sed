# loses static: leaves out fields without an object
/^on_modification/,/^}/s/come(jvmti, jni, thread, method, klass, object, field, true);/if (object != NULL) come(jvmti, jni, thread, method, klass, object, field, true);/
