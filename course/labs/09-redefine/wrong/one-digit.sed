# loses again: takes the number of a version for one digit
s/"swap %199s %d"/"swap %199s %1d"/
