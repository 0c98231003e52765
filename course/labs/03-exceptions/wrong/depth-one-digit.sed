# loses depth: takes the number for one digit
s/depth = atoi(option + 6)/depth = option[6] - '0'/
