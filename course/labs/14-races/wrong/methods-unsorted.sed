# loses where: does not sort the two methods
s/bool in_order = strcmp(first, second) < 0;/bool in_order = strcmp(first, second) > 0;/
