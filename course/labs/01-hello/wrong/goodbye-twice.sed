# loses goodbye: says it when the VM dies and when it is unloaded
$a\
\
JNIEXPORT void JNICALL\
Agent_OnUnload(JavaVM *vm)\
{\
    (void)vm;\
    say("goodbye");\
}
