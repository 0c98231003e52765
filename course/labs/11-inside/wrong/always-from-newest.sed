# loses part kit: does not heed the start
/^take_trace/,/^}/s/start < 0 ? NULL : stack_frame_at(t, start)/start < 0 ? NULL : stack_frame_at(t, 0)/
