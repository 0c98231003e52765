# loses scope: leaves this out
s/^        if (location >= v->start_location/        if (strcmp(v->name, "this") != 0\n            \&\& location >= v->start_location/
