# loses vm: asks for the name in Agent_OnLoad
s/^    free(copy);/    on_vm_init(jvmti, NULL, NULL); &/
s/JVMTI_EVENT_VM_INIT/JVMTI_EVENT_VM_DEATH/
