# loses repeat: takes the number for one digit
s/atoi(option + 7)/option[7] - '0'/
