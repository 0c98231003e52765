# loses phases: writes the phases that it expects, without GetPhase
s/"onload phase=%s", phase_name(jvmti)/"onload phase=onload"/
s/"vmdeath phase=%s", phase_name(jvmti)/"vmdeath phase=live"/
