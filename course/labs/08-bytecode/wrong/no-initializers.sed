# loses init: leaves class initializers out
s/^    if (code == NULL)$/    if (code == NULL || strcmp(method->name, "<clinit>") == 0)/
