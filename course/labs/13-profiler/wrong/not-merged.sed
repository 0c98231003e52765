# loses merged flame: makes a new node each time
s/if (\*link != NULL && strcmp((\*link)->name, name) == 0)/if (*link != NULL \&\& strcmp((*link)->name, name) == 9)/
