# loses order: turns the order among methods that are called equally often
s/^    return strcmp(x->text, y->text);/    return strcmp(y->text, x->text);/
