# loses init: leaves out what has a name in brackets
s/^    if (code == NULL)$/    if (code == NULL || method->name[0] == '<')/
