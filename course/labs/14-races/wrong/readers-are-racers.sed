# loses quiet: accuses fields that are read only
s/location->state == MODIFIED && location->lock_count == 0/location->state != EXCLUSIVE \&\& location->lock_count == 0/
