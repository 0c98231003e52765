# loses running: walks over the stack of a thread that may run
/^jvmti_GetStackTrace/,/^}/s/TRY(jvmti_handshake(self, thread, take_trace, &trace));/TRY(take_trace(thread->live, self, \&trace));/
