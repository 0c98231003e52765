# loses order: counts methods of other classes in the total
s/table\[i\]\.wanted ? table\[i\]\.count : 0/table[i].count/
