# loses caller errors kit: takes the newest frame
s/stack_frame_for(t, requester, n->depth, &f)/stack_frame_for(t, requester, 0, \&f)/
