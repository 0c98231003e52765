# loses unknown: compares the first four characters of an option only
s/strncmp(option, "name=", 5) == 0/strncmp(option, "name", 4) == 0 \&\& strchr(option, '=')/
s/\*name = option + 5/*name = strchr(option, '=') + 1/
