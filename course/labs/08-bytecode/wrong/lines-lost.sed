# loses lines: removes the line numbers
s/^    free(jumps);/&\n    code->lines = NULL;/
