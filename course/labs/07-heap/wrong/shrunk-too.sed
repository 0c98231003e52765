# loses grown: says what has shrunk, too
s/if (sorted\[i\]->count > sorted\[i\]->before)/if (sorted[i]->count != sorted[i]->before)/
