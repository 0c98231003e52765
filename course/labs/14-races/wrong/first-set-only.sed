# loses locks: never makes the set of monitors smaller
s/^        location->lock_count = kept;/        location->lock_count += kept \& 0;/
