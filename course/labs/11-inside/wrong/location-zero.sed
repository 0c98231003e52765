# loses trace other part kit: does not say where in the method
/^take_trace/,/^}/s/frame_bci(f)/0/
