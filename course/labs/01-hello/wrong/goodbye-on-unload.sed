# loses goodbye: says goodbye in Agent_OnUnload, and enables no VMDeath
/^    say("goodbye");/d
s/JVMTI_EVENT_VM_DEATH/JVMTI_EVENT_VM_INIT/
$a\
\
JNIEXPORT void JNICALL\
Agent_OnUnload(JavaVM *vm)\
{\
    (void)vm;\
    say("goodbye");\
}
