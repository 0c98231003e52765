# loses grown: says how many there are
s/sorted\[i\]->count - sorted\[i\]->before/sorted[i]->count/
