# loses others: takes packages inside of the package, too
s/strchr(name + length, '\/') == NULL/true/
