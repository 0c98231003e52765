# loses handed: does not see that what came before a start is in order with it
s/ || other->time < started_at\[thread\]//
