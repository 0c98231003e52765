# loses lines: looks for an entry that begins at the location
s/table\[i\]\.start_location <= location/table[i].start_location == location/
