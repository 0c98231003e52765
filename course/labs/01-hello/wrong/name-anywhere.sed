# loses unknown: looks for the option anywhere in the text
s/strncmp(option, "name=", 5) == 0/strstr(option, "name=")/
s/\*name = option + 5/*name = strstr(option, "name=") + 5/
