# loses live: counts classes of packages inside of the package, too
s/strpbrk(signature + 1 + length, "\/.") != NULL/strchr(signature + 1 + length, '.') != NULL/
