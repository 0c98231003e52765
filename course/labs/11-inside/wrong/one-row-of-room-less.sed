# loses part kit: leaves the last row of the agent's buffer free
/^take_trace/,/^}/s/trace->count < trace->max/trace->count + 1 < trace->max/
