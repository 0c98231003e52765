# loses phases: believes that VMInit is sent in the start phase
s/case JVMTI_PHASE_LIVE: return "live"/case JVMTI_PHASE_LIVE: return "start"/
