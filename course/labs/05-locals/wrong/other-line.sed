# loses hit scope ints wide text clear rules: looks for the line behind the one that is wanted
s/table\[i\]\.line_number == line$/table[i].line_number == line + 100/
