# loses other running kit: looks at the calling thread, whichever is asked for
/^jvmti_GetStackTrace/,/^}/s/TRY(jvmti_handshake(self, thread, take_trace, &trace));/(void)thread;\n    TRY(take_trace(self, self, \&trace));/
