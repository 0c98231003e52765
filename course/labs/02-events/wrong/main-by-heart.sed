# loses early: knows the name of the thread by heart
s/    say_thread(jvmti, thread, before);/    (void)thread;\n    say("%smain", before);/
