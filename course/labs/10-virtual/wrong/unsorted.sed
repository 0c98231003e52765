# loses alive: against the order of the names
s/return strcmp(\*(char \*const \*)a, \*(char \*const \*)b)/return -strcmp(*(char *const *)a, *(char *const *)b)/
