# loses grown: leaves out what was not there in the report before
s/if (sorted\[i\]->count > sorted\[i\]->before)/if (sorted[i]->before > 0 \&\& sorted[i]->count > sorted[i]->before)/
