# loses counts: leaves out what has a name in brackets
s/^        if (table\[i\]\.wanted)/        if (table[i].wanted \&\& table[i].text[0] != '<')/
