# loses wait entered: does not look at the class
s/strncmp(signature + 1, prefix, strlen(prefix)) == 0/true/
