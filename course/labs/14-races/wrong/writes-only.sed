# loses reads: watches modifications only
s/SetFieldAccessWatch/SetFieldModificationWatch/
s/CALL(SetFieldModificationWatch, jvmti, klass, fields\[i\]))$/true)/
