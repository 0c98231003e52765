# loses text: looks at what the object is, not at what the variable was declared as
s/strcmp(v->signature, "Ljava\/lang\/String;") == 0/(*jni)->IsInstanceOf(jni, object, (*jni)->FindClass(jni, "java\/lang\/String"))/
