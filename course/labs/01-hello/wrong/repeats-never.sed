# loses repeat both: takes the number for a text
s/atoi(option + 7)/1/
