# loses merged: puts a new node in front of the others
s/while (\*link != NULL && strcmp((\*link)->name, name) < 0)/while (*link != NULL \&\& strcmp((*link)->name, name) != 0)/
