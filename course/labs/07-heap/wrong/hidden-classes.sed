# loses live: counts hidden classes, too
s/strpbrk(signature + 1 + length, "\/.") != NULL/strchr(signature + 1 + length, '\/') != NULL/
