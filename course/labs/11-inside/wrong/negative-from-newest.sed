# loses part kit: counts a negative start from the newest frame
/^take_trace/,/^}/s/trace->start < 0 ? trace->start + count_frames(t) : trace->start/trace->start < 0 ? -trace->start : trace->start/
