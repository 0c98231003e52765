# loses lines: takes the last entry that is not beyond, as in a sorted table
s/ && table\[i\]\.start_location > best/ \&\& best < (jlocation)1 << 40/
