# loses where: writes the lines from the last to the first
/^compare/,/^}/s/return strcmp/return -strcmp/
