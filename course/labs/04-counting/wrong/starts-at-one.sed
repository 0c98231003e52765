# loses counts all break: begins to count with the second call
s/table\[count\]\.method = method;/& table[count].count = -1;/
