# loses absent kit: does not look whether the method is native
/^jvmti_GetLineNumberTable/,/^}/s/TRY(check_bytecode(method));/(void)check_bytecode;/
