# loses unlocked reads locks: names the class of the object, which may be a subclass
s/report(jvmti, jni, klass, location, method/report(jvmti, jni,\
               object != NULL ? (*jni)->GetObjectClass(jni, object) : klass, location, method/
s/CALL(GetFieldDeclaringClass, jvmti, klass, field, &owner)/(owner = (*jni)->NewLocalRef(jni, klass)) != NULL/
