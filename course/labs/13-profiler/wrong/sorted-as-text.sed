# loses merged: compares whole lines, where ; comes behind digits
s@^/\* The child of that name; children are sorted\. \*/@static int\
compare(const char *a, const char *b)\
{\
    char one[1000], two[1000];\
\
    snprintf(one, sizeof one, "%s;", a);\
    snprintf(two, sizeof two, "%s;", b);\
    return strcmp(one, two);\
}\
\
&@
s/while (\*link != NULL && strcmp((\*link)->name, name) < 0)/while (*link != NULL \&\& compare((*link)->name, name) < 0)/
