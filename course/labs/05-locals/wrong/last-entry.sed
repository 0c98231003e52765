# loses hit: takes the line's last location
s/table\[i\]\.start_location < /table[i].start_location > /
