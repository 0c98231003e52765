# loses lines: takes the line of the method's first entry
s/ && table\[i\]\.start_location > best/ \&\& best < 0/
