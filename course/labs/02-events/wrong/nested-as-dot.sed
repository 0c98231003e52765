# loses prepare: takes the $ in the name of a nested class for one more slash
s/if (\*c == '\/')/if (*c == '\/' || *c == '$')/
