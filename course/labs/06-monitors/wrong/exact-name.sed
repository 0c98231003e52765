# loses wait owner entered rules: takes the beginning of a name for all of it
s/strncmp(signature + 1, prefix, strlen(prefix)) == 0/strlen(signature) == strlen(prefix) + 2 \&\& &/
