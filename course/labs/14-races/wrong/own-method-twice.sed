# loses where: names its own method twice
s/report(jvmti, jni, klass, location, method, other->method);/report(jvmti, jni, klass, location, method, method);/
