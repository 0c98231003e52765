# loses clear: takes the number of hits for one digit
s/hits = atoi(option + 5)/hits = option[5] - '0'/
