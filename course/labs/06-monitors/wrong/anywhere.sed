# loses wait entered: looks for the text anywhere in the name
s/strncmp(signature + 1, prefix, strlen(prefix)) == 0/strstr(signature + 1, prefix) != NULL/
