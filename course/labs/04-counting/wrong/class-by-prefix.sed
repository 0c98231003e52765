# loses counts: takes classes whose names begin alike for the same
s/strcmp(signature, wanted) == 0;/strncmp(signature, wanted, strlen(wanted) - 1) == 0;/
