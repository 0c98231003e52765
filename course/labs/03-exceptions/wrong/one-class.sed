# loses place stack: takes the class of the catch for that of all methods
s/GetMethodDeclaringClass, jvmti, method, &klass/GetMethodDeclaringClass, jvmti, catcher != NULL ? catcher : method, \&klass/
s/^static int depth = 1 << 20;/&\nstatic jmethodID catcher;/
s/^    struct text text = { 0 };/    catcher = catch_method;\n&/
