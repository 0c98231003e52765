# loses swap active obsolete refused again: takes a class whose name begins alike
s/strcmp(signature, wanted) == 0)/strncmp(signature, wanted, strlen(wanted) - 1) == 0 \&\& strcmp(signature, wanted) != 0)/
