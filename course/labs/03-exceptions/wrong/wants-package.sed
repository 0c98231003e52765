# loses filter: logs nothing without the option
s/return package == NULL$/return package != NULL/
s/^        || (strncmp(signature + 1, package, length) == 0/        \&\& (strncmp(signature + 1, package, length) == 0/
