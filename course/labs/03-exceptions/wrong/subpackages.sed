# loses filter: takes packages inside of the package, too
s/strchr(signature + 1 + length, '\/') == NULL/true/
